import { z } from 'zod';
import { AppError } from '../core/errors.ts';
import type { Actor } from '../core/ports.ts';
import type { Message } from './blocks.ts';
import type { ReplyTo, Respond } from './deps.ts';
import { placeOf } from './places.ts';

const id = z.string().max(64);

/** The parts of an interactive payload that Steward reads; all the rest is ignored. */
const interactive = z.looseObject({
  trigger_id: z.string().optional(),
  user: z.looseObject({ id, team_id: id.optional() }),
  team: z.looseObject({ id }).nullish(),
  channel: z.looseObject({ id }).nullish(),
  container: z
    .looseObject({
      message_ts: z.string().optional(),
      channel_id: id.optional(),
      is_ephemeral: z.boolean().optional(),
    })
    .nullish(),
});

export type Interactive = z.output<typeof interactive>;

/** Throws ZodError for a payload that Slack would not send. */
export function readInteractive(body: unknown): Interactive {
  return interactive.parse(body);
}

/**
 * Who pressed: the person's own team, which in a shared channel is not the app's. Where the payload
 * names both, both are judged.
 */
export function actorOf(payload: Interactive): Actor {
  const app = payload.team?.id;
  const teamId = payload.user.team_id ?? app ?? '';
  const actor = { userId: payload.user.id, teamId };
  return app === undefined || app === teamId ? actor : { ...actor, via: app };
}

/** Where an interactive payload came from and how to answer it. */
export function replyToOf(payload: Interactive, respond: Respond | undefined): ReplyTo {
  const { container, trigger_id } = payload;
  const channelId = payload.channel?.id ?? container?.channel_id;
  const pressed =
    container?.channel_id === undefined
      ? undefined
      : {
          ephemeral: container.is_ephemeral === true,
          channelId: container.channel_id,
          ...(container.message_ts === undefined ? {} : { ts: container.message_ts }),
        };
  return {
    actor: actorOf(payload),
    place: placeOf(channelId),
    ...(trigger_id === undefined ? {} : { triggerId: trigger_id }),
    ...(respond === undefined ? {} : { respond }),
    ...(pressed === undefined ? {} : { pressed }),
  };
}

/** Bolt's `respond` behind our own type; the flags are always explicit. Throws as Bolt does. */
export function respondWith(
  respond: (message: Record<string, unknown>) => Promise<unknown>,
): Respond {
  return async ({ message, to, replace }) => {
    const answer = await respond({
      text: message.text,
      blocks: blocksOf(message),
      response_type: to === 'channel' ? 'in_channel' : 'ephemeral',
      replace_original: replace,
    });
    const error = answer instanceof Response ? refusalIn(await answer.text()) : undefined;
    if (error === undefined) return;
    throw new AppError('slack', {
      userMessage: `Slack answered a response URL with ${error}.`,
      cause: { data: { error } },
    });
  };
}

/** A response URL answers `ok` or JSON, and a refusal may come with status 200. */
function refusalIn(text: string): string | undefined {
  const [, error] = /"ok"\s*:\s*false[\s\S]*?"error"\s*:\s*"([^"]+)"/u.exec(text) ?? [];
  return error ?? (/^\w*invalid\w*$/u.test(text.trim()) ? text.trim() : undefined);
}

function blocksOf(message: Message): readonly unknown[] {
  return message.blocks;
}
