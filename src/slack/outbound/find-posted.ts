import { DateTime } from 'luxon';
import { z } from 'zod';
import type { PostingDeps } from './deps.ts';
import type { Metadata } from './web.ts';

const history = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z
        .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
        .optional(),
    }),
  ),
  has_more: z.boolean().optional(),
});

/**
 * Looks for a message of ours in a channel, from a moment (ISO 8601) on. The bot asks for no history
 * scope by default; then nobody can look. Facts: Messages.
 */
export async function findPosted(
  channelId: string,
  { metadata, from }: { readonly metadata: Metadata; readonly from: string },
  { web, logger }: Pick<PostingDeps, 'web' | 'logger'>,
): Promise<{ readonly ts: string } | 'not-there' | 'cannot-look'> {
  const oldest = DateTime.fromISO(from, { zone: 'utc' }).toSeconds();
  try {
    const answer = history.parse(await web.history(channelId, String(oldest)));
    const found = answer.messages.find((message) => isIt(message.metadata, metadata));
    if (found !== undefined) return { ts: found.ts };
    return answer.has_more === true ? 'cannot-look' : 'not-there';
  } catch (cause) {
    logger.info({ channelId, cause }, 'a message could not be looked for');
    return 'cannot-look';
  }
}

function isIt(found: z.output<typeof history>['messages'][number]['metadata'], wanted: Metadata) {
  return (
    found?.event_type === wanted.event_type &&
    Object.entries(wanted.event_payload).every(([key, value]) => found.event_payload[key] === value)
  );
}
