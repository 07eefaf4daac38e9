import { randomUUID } from 'node:crypto';
import type { DigestKey, DigestPoster } from '../../core/ports/digests.ts';
import { renderText } from '../render/render.ts';
import { postAudit } from './audit.ts';
import { createKeyedPoster, type KeyedPosterDeps } from './keyed-poster.ts';

/** What concerns a channel as a whole. */
const NOBODY = { userId: '', teamId: '' };

/** Summaries in channels, found again by their metadata. */
export function createDigestPoster(deps: KeyedPosterDeps): DigestPoster {
  const poster = createKeyedPoster<DigestKey>(
    {
      ...{ event: 'steward_digest', what: 'a cost summary', keyOf: keyText },
      channelOf: ({ channel }) => channel,
    },
    deps,
  );
  return {
    post: poster.post,
    find: poster.find,
    update: ({ channel: channelId, ts }, card) => poster.update({ channelId, ts }, card),
    reply: ({ channel, ts }, card) => ({
      ...{ id: randomUUID(), kind: 'final-costs', at: deps.clock.now().toISO(), card },
      ...{ actor: NOBODY, place: { channelId: channel }, journal: 0 },
      ...{ message: { channelId: channel, ts }, inThread: true },
    }),
    deliver: (replies) => deps.delivery.deliver(replies, true),
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

function keyText({ organization, period, day }: DigestKey): string {
  return `${organization}/${period}/${day}`;
}
