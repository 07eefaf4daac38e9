import type { ChannelCard } from '../../core/card/card.ts';
import type { PostOutcome } from '../../core/ports/digests.ts';
import type { MessageRef } from '../../core/ports/outbox.ts';
import { failureOf, slackErrorOf } from '../web/slack-failure.ts';
import { CHANNEL_PROBLEMS, type Metadata } from '../web/web.ts';
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

export type KeyedPosterDeps = AuditDeps & ButtonDeps & Pick<SlackDeps, 'delivery'>;

/** One message of its own kind in a channel. Throws nothing that Slack can be blamed for. */
export type KeyedPoster<K> = {
  post(key: K, card: ChannelCard): Promise<PostOutcome>;
  update(message: MessageRef, card: ChannelCard): Promise<'updated' | 'gone' | 'failed'>;
  /** Looks for it by its metadata, from a moment (ISO 8601) on. */
  find(key: K, from: string): Promise<{ readonly ts: string } | 'not-there' | 'cannot-look'>;
};

/** `event` and `keyOf`: by what it is found again; ids only, as anybody can read them. */
export type Keyed<K> = {
  readonly event: string;
  /** For the log: `a cost summary`. */
  readonly what: string;
  channelOf(key: K): string;
  keyOf(key: K): string;
};

/** Messages that are claimed before they are posted, and found again by their metadata. */
export function createKeyedPoster<K>(
  { event, what, channelOf, keyOf }: Keyed<K>,
  deps: KeyedPosterDeps,
): KeyedPoster<K> {
  const metadataOf = (key: K): Metadata => ({
    event_type: event,
    event_payload: { key: keyOf(key) },
  });
  /** It is worth more than its buttons. */
  async function ready(card: ChannelCard, channelId: string): Promise<ChannelCard> {
    try {
      return await withButtons(card, { place: { channelId } }, deps);
    } catch (cause) {
      deps.logger.error({ channelId, cause }, `${what} goes without its buttons`);
      return { ...card, actions: [] };
    }
  }
  return {
    post: async (key, given) => {
      const channelId = channelOf(key);
      const card = await ready(given, channelId);
      try {
        const { ts } = await postTo(channelId, card, deps, { metadata: metadataOf(key) });
        return ts === '' ? { kind: 'unknown', reason: 'no ts' } : { kind: 'posted', ts };
      } catch (thrown) {
        return outcomeOf(thrown);
      }
    },
    update: async ({ channelId, ts }, given) => {
      try {
        const card = await ready(given, channelId);
        await updateCard({ channelId, ts }, card, deps);
        return 'updated';
      } catch (thrown) {
        const error = slackErrorOf(thrown) ?? '';
        deps.logger.warn({ channelId, ts, error }, `${what} was not updated`);
        return GONE.has(error) ? 'gone' : 'failed';
      }
    },
    find: (key, from) => findPosted(channelOf(key), { metadata: metadataOf(key), from }, deps),
  };
}

function outcomeOf(thrown: unknown): PostOutcome {
  const { kind, error } = failureOf(thrown);
  if (kind === 'doubt') return { kind: 'unknown', reason: error };
  return { kind: 'refused', reason: error, channel: CHANNEL_PROBLEMS.has(error) };
}
