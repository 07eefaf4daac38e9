import { z } from 'zod';
import type { Card, CardAction, ChannelCard, RawInput } from '../../core/card/card.ts';
import type { Actor, Clock } from '../../core/ports/ports.ts';
import type { SmallMemory } from '../../core/ports/stores.ts';
import type { Message } from '../render/blocks.ts';
import { type Rendered, renderCard } from '../render/render.ts';
import type { Richness } from '../render/tables.ts';
import { slackErrorOf } from '../web/slack-failure.ts';
import type { Posted, PostOptions } from '../web/web.ts';
import {
  channelOf,
  ownerOf,
  type PostingDeps,
  type ReplyTo,
  type RichnessMemory,
  type SlackDeps,
} from './deps.ts';

/** Errors after which plainer blocks are worth a try. */
const TOO_RICH = new Set(['invalid_blocks', 'msg_blocks_too_long', 'invalid_arguments']);

function isTooRich(error: string | undefined): boolean {
  return error !== undefined && TOO_RICH.has(error);
}

/** In a channel by id, outside any payload: the audit channel, schedules. Throws AppError `slack`. */
export async function postTo(
  channelId: string,
  card: ChannelCard,
  deps: PostingDeps,
  options: PostOptions = {},
): Promise<Posted> {
  return await withRichness(card, deps, async ({ main, thread }) => {
    const posted = await deps.web.post(channelId, main, options);
    if (thread !== undefined) {
      await deps.web.post(channelId, thread, { threadTs: options.threadTs ?? posted.ts });
    }
    return posted;
  });
}

/** A message in a channel moves on; details are added to its thread. */
export async function updateCard(
  posted: Posted,
  card: ChannelCard,
  deps: PostingDeps,
): Promise<void> {
  await withRichness(card, deps, async ({ main, thread }) => {
    await deps.web.update(posted.channelId, posted.ts, main);
    if (thread !== undefined) {
      await deps.web.post(posted.channelId, thread, { threadTs: posted.ts });
    }
  });
}

/** Tries plainer blocks when the workspace refuses richer ones, and remembers it. Design: §9. */
export async function withRichness<T>(
  card: Card,
  deps: PostingDeps,
  send: (rendered: Rendered) => Promise<T>,
): Promise<T> {
  let richness: Richness = await deps.richness.get();
  for (;;) {
    try {
      return await send(scrubbed(renderCard(card, richness), deps));
    } catch (thrown) {
      const isRich = card.table !== undefined || card.chart !== undefined;
      if (!isRich || richness === 'text' || !isTooRich(slackErrorOf(thrown))) {
        // Without an answer it may stand there: it is not sent again in plainer blocks.
        throw thrown;
      }
      richness = await deps.richness.lower(richness);
    }
  }
}

function scrubbed({ main, thread }: Rendered, deps: PostingDeps): Rendered {
  return { main: scrubMessage(main, deps), thread: thread && scrubMessage(thread, deps) };
}

function scrubMessage(message: Message, deps: PostingDeps): Message {
  return JSON.parse(deps.scrub(JSON.stringify(message))) as Message;
}

const KEY = 'slack.richness';
const NEXT = { native: 'table', table: 'text', text: 'text' } as const;

/** Which blocks this workspace takes, kept in the database so that it is asked once. Design: §9. */
export function createRichnessMemory(memory: SmallMemory): RichnessMemory {
  let known: Richness | undefined;
  return {
    // Where the database does not answer, people are told all the same.
    get: async () => {
      known ??= asRichness(await memory.get(KEY).catch(() => undefined));
      return known;
    },
    lower: async (from) => {
      known = NEXT[from];
      await memory.set(KEY, known).catch(() => undefined);
      return known;
    },
  };
}

function asRichness(value: unknown): Richness {
  return value === 'table' || value === 'text' ? value : 'native';
}

/** Of a button's value; its operation and our marks need the rest. */
const INPUT_LIMIT = 1_200;
const KEPT_MS = 4 * 60 * 60_000;
/** In a channel a button outlives the day on which it was posted; it is judged when pressed. */
const KEPT_IN_CHANNEL_MS = 7 * 24 * 60 * 60_000;
/** No field has this name. */
const MARK = '@saved';

/** What the buttons of a card need to be stored. */
export type ButtonDeps = Pick<SlackDeps, 'registry' | 'forms' | 'pending'> &
  Readonly<{ ports: Readonly<{ clock: Clock }> }>;

/** Whose card it is and which request it belongs to; absent for a card of Steward's own. */
export type ButtonOwner = Partial<Pick<ReplyTo, 'actor' | 'journal' | 'place'>>;

/**
 * The card with buttons that are safe to leave: what runs something becomes a question of its own in
 * the database, claimed by one press like any other; input too long for a button is kept there under
 * an opaque id that only its owner can use. Throws AppError `storage`. Design: §6.
 */
export async function withButtons<C extends Card>(
  card: C,
  owner: ButtonOwner,
  deps: ButtonDeps,
): Promise<C> {
  if (card.actions === undefined) return card;
  const { audience } = card;
  const actions = await Promise.all(
    card.actions.map((action) =>
      runs(action, audience, deps)
        ? singleUse(action, { audience, owner }, deps)
        : keepLong(action, owner.actor, deps),
    ),
  );
  return { ...card, actions };
}

type Running = CardAction & { readonly do: Extract<CardAction['do'], { kind: 'run' | 'open' }> };

/** A read in a channel is for everybody and as often as they like; it changes nothing. */
function runs(action: CardAction, audience: Card['audience'], deps: ButtonDeps): action is Running {
  const wanted = action.do;
  if (wanted.kind !== 'run' && wanted.kind !== 'open') return false;
  const operation = deps.registry.find(wanted.operation);
  if (operation === undefined) return false;
  if (wanted.kind === 'open') return operation.fields.length === 0 && operation.risk !== 'read';
  return operation.risk !== 'read' || audience === 'requester';
}

async function singleUse(
  action: Running,
  { audience, owner }: { readonly audience: Card['audience']; readonly owner: ButtonOwner },
  deps: ButtonDeps,
): Promise<CardAction> {
  const { operation, input, options } = action.do;
  const forAll = audience === 'channel' || owner.actor === undefined;
  const lastsMs = forAll ? KEPT_IN_CHANNEL_MS : KEPT_MS;
  const expires = deps.ports.clock.now().plus({ milliseconds: lastsMs });
  const { place = 'home' } = owner;
  const pending = await deps.pending.create({
    kind: 'run',
    operation,
    input,
    options,
    actor: owner.actor ?? NOBODY,
    planHash: '',
    approvers: forAll ? ['anyone'] : [],
    expiresAt: expires.toISO(),
    journal: owner.journal ?? 0,
    channelId: channelOf(place),
  });
  return { ...action, do: { kind: 'use', pending: pending.id } };
}

const NOBODY: Actor = { userId: '', teamId: '' };

async function keepLong(
  action: CardAction,
  owner: Actor | undefined,
  deps: ButtonDeps,
): Promise<CardAction> {
  if (!('input' in action.do) || owner === undefined) return action;
  if (JSON.stringify(action.do.input).length <= INPUT_LIMIT) return action;
  const { input } = action.do;
  const id = await deps.forms.save({ owner: ownerOf(owner), value: input, ttlMs: KEPT_MS });
  return { ...action, do: { ...action.do, input: { [MARK]: id } } };
}

/** The input behind a button; undefined where it was kept and is another person's or too old. */
export async function longInput(
  input: RawInput,
  to: Pick<ReplyTo, 'actor'>,
  deps: Pick<SlackDeps, 'forms'>,
): Promise<RawInput | undefined> {
  const id = input[MARK];
  if (typeof id !== 'string') return input;
  const kept = z
    .record(z.string(), z.unknown())
    .safeParse(await deps.forms.load(id, ownerOf(to.actor)));
  return kept.success ? kept.data : undefined;
}
