import { DateTime } from 'luxon';
import { z } from 'zod';
import { threadOf } from '../../../core/ports/ports.ts';
import { failureOf } from '../../web/slack-failure.ts';
import type { Metadata } from '../../web/web.ts';
import { channelOf, type PostingDeps } from '../deps.ts';
import { type Letter, metadataOf, wayOf } from './ways.ts';

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

/** Looks for a message in its channel, by its mark, where the bot may read the history. */
export async function lookFor(
  letter: Letter,
  deps: PostingDeps,
): Promise<'there' | 'not-there' | 'cannot-look'> {
  const channelId = channelOf(letter.to.place);
  const metadata = metadataOf(letter);
  if (metadata === undefined || channelId === undefined) return 'cannot-look';
  // The history of a channel shows no replies.
  if (threadOf(letter.to.place) !== undefined) return 'cannot-look';
  const from = letter.mark?.at ?? '';
  const found = await findPosted(channelId, { metadata, from }, deps);
  return typeof found === 'string' ? found : 'there';
}

/** Whether Slack answers at all. Never throws. */
export async function answers({ web }: PostingDeps): Promise<boolean> {
  try {
    await web.authTest();
    return true;
  } catch (thrown) {
    return failureOf(thrown).kind === 'refused';
  }
}

/**
 * After a doubtful step, the one by which the message is told once more: another one below it, so that
 * what fails for this message alone does not fail again, else the same; the audit channel only where
 * nothing else is left.
 */
export function stepAfterDoubt(doubtful: number, letter: Letter, deps: PostingDeps): number {
  const below = letter.steps.findIndex(
    (step, index) =>
      index > doubtful && step !== 'audit' && wayOf(step, letter, deps) !== undefined,
  );
  return below === -1 ? doubtful : below;
}
