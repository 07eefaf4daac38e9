import { channelOf, type PostingDeps } from './deps.ts';
import { findPosted } from './find-posted.ts';
import { failureOf } from './slack-failure.ts';
import { type Letter, metadataOf, wayOf } from './ways.ts';

/** Looks for a message in its channel, by its mark, where the bot may read the history. */
export async function lookFor(
  letter: Letter,
  deps: PostingDeps,
): Promise<'there' | 'not-there' | 'cannot-look'> {
  const channelId = channelOf(letter.to.place);
  const metadata = metadataOf(letter);
  if (metadata === undefined || channelId === undefined) return 'cannot-look';
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
