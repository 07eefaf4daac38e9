import { z } from 'zod';
import { AppError } from '../../core/cloud/errors.ts';
import type { SlackCall } from '../doctor-slack.ts';

/** What people choose from, by name; nothing else is read of anybody. */
export type SlackLists = {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly channels: readonly Named[];
  readonly people: readonly Named[];
  /** Empty where Slack does not tell them: a free plan has none. */
  readonly groups: readonly Named[];
};

/** `name`: `#ops`, `@ana`, `@operators`. */
export type Named = {
  readonly id: string;
  readonly name: string;
  readonly hint?: string;
  /** Of a channel: whether Steward is in it. */
  readonly joined?: boolean;
};

const page = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  needed: z.string().optional(),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});
const flag = z.boolean().optional();
const channels = z.array(
  z.looseObject({ id: z.string(), name: z.string(), is_archived: flag, is_member: flag }),
);
const people = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string().default(''),
    deleted: flag,
    is_bot: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    profile: z.looseObject({ display_name: z.string().optional() }).optional(),
  }),
);
const usergroups = z.array(z.looseObject({ id: z.string(), handle: z.string(), name: z.string() }));

/** A workspace of more pages than this is too large to choose from: names are typed then. */
const PAGES = 20;

/** Throws AppError `slack` with the way on: a wrong token, a missing scope, no answer. */
export async function readSlackLists(call: SlackCall, token: string): Promise<SlackLists> {
  const ask = asker(call, token);
  const me = await ask('auth.test', {});
  const lists = {
    channels: channels.parse(
      await allOf(ask, 'conversations.list', 'channels', {
        types: 'public_channel,private_channel',
      }),
    ),
    people: people.parse(await allOf(ask, 'users.list', 'members', {})),
  };
  return {
    workspace: { id: String(me['team_id'] ?? ''), name: String(me['team'] ?? '') },
    channels: lists.channels
      .filter((one) => one.is_archived !== true)
      .map(({ id, name, is_member }) => ({
        id,
        name: `#${name}`,
        hint: is_member === true ? 'Steward is in it' : 'invite it there',
        joined: is_member === true,
      })),
    people: lists.people.filter(isMember).map(({ id, name, profile }) => ({
      id,
      name: `@${(profile?.display_name ?? '') === '' ? name : profile?.display_name}`,
    })),
    groups: await groupsOf(ask),
  };
}

function isMember(one: z.output<typeof people>[number]): boolean {
  const guest = one.is_restricted === true || one.is_ultra_restricted === true;
  return one.deleted !== true && one.is_bot !== true && !guest && one.id !== 'USLACKBOT';
}

async function groupsOf(ask: Ask): Promise<readonly Named[]> {
  try {
    const { usergroups: found } = await ask('usergroups.list', {});
    return usergroups
      .parse(found)
      .map(({ id, handle, name }) => ({ id, name: `@${handle}`, hint: `user group ${name}` }));
  } catch {
    return [];
  }
}

type Ask = (
  method: string,
  args: Readonly<Record<string, string>>,
) => Promise<z.output<typeof page>>;

function asker(call: SlackCall, token: string): Ask {
  return async (method, args) => {
    let body: unknown;
    try {
      ({ body } = await call(method, token, args));
    } catch (cause) {
      const userMessage = 'Slack does not answer: check the network, then run this again.';
      throw new AppError('slack', { userMessage, cause });
    }
    const answer = page.parse(body);
    if (!answer.ok) throw new AppError('slack', { userMessage: refusal(method, answer) });
    return answer;
  };
}

function refusal(method: string, { error, needed }: z.output<typeof page>): string {
  if (error === 'missing_scope') {
    return `Slack wants the scope ${needed ?? 'of the manifest'}: update the app from \`steward manifest\`, install it again, and run this again.`;
  }
  if (method === 'auth.test') {
    return `Slack refuses the bot token (${error ?? 'no reason'}): copy it anew from OAuth & Permissions.`;
  }
  return `Slack answered ${method} with ${error ?? 'no reason'}.`;
}

async function allOf(
  ask: Ask,
  method: string,
  key: string,
  args: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let cursor = '';
  for (let count = 0; count < PAGES; count += 1) {
    const answer = await ask(method, {
      ...args,
      limit: '200',
      ...(cursor === '' ? {} : { cursor }),
    });
    found.push(...z.array(z.unknown()).parse(answer[key] ?? []));
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return found;
}
