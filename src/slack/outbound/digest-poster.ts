import { randomUUID } from 'node:crypto';
import type { ChannelCard } from '../../core/card/card.ts';
import type { DigestKey, DigestPoster, PostOutcome } from '../../core/ports/digests.ts';
import { renderText } from '../render/render.ts';
import { failureOf, slackErrorOf } from '../web/slack-failure.ts';
import { CHANNEL_PROBLEMS, type Metadata } from '../web/web.ts';
import { postAudit } from './audit.ts';
import { type ButtonDeps, postTo, updateCard, withButtons } from './deliver.ts';
import { findPosted } from './delivery/doubt.ts';
import type { AuditDeps, SlackDeps } from './deps.ts';

/** The message can never be changed again. */
const GONE = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  ...CHANNEL_PROBLEMS,
]);
const EVENT = 'steward_digest';

export type DigestPosterDeps = AuditDeps & ButtonDeps & Pick<SlackDeps, 'delivery'>;

/** What concerns a channel as a whole. */
const NOBODY = { userId: '', teamId: '' };

/** Summaries in channels, found again by their metadata: ids only, as anybody can read them. */
export function createDigestPoster(deps: DigestPosterDeps): DigestPoster {
  return {
    post: async (key, given) => {
      const card = await ready(given, key.channel, deps);
      try {
        const { ts } = await postTo(key.channel, card, deps, { metadata: metadataOf(key) });
        return ts === '' ? { kind: 'unknown', reason: 'no ts' } : { kind: 'posted', ts };
      } catch (thrown) {
        return outcomeOf(thrown);
      }
    },
    update: async ({ channel, ts }, given) => {
      try {
        const card = await ready(given, channel, deps);
        await updateCard({ channelId: channel, ts }, card, deps);
        return 'updated';
      } catch (thrown) {
        const error = slackErrorOf(thrown) ?? '';
        deps.logger.warn({ channel, ts, error }, 'a cost summary was not updated');
        return GONE.has(error) ? 'gone' : 'failed';
      }
    },
    reply: ({ channel, ts }, card) => ({
      ...{ id: randomUUID(), kind: 'final-costs', at: deps.clock.now().toISO(), card },
      ...{ actor: NOBODY, place: { channelId: channel }, journal: 0 },
      ...{ message: { channelId: channel, ts }, inThread: true },
    }),
    deliver: (replies) => deps.delivery.deliver(replies, true),
    find: (key, from) => findPosted(key.channel, { metadata: metadataOf(key), from }, deps),
    tell: async (userId, text) => {
      try {
        if (userId !== undefined) {
          await deps.web.post(userId, renderText(text));
          return;
        }
      } catch (cause) {
        deps.logger.warn({ userId, cause }, 'the owner of a cost summary could not be told');
      }
      await postAudit({ audience: 'channel', tone: 'warning', headline: text }, deps);
    },
  };
}

/** A summary is worth more than its buttons. */
async function ready(
  card: ChannelCard,
  channelId: string,
  deps: DigestPosterDeps,
): Promise<ChannelCard> {
  try {
    return await withButtons(card, { place: { channelId } }, deps);
  } catch (cause) {
    deps.logger.error({ channelId, cause }, 'a cost summary goes without its buttons');
    return { ...card, actions: [] };
  }
}

function outcomeOf(thrown: unknown): PostOutcome {
  const { kind, error } = failureOf(thrown);
  if (kind === 'doubt') return { kind: 'unknown', reason: error };
  return { kind: 'refused', reason: error, channel: CHANNEL_PROBLEMS.has(error) };
}

function metadataOf(key: DigestKey): Metadata {
  return { event_type: EVENT, event_payload: { key: keyText(key) } };
}

function keyText({ organization, period, day }: DigestKey): string {
  return `${organization}/${period}/${day}`;
}
