import { channelOf, type PostingDeps } from './deps.ts';
import { findPosted } from './find-posted.ts';
import { slackErrorOf } from './slack-failure.ts';
import { type Letter, metadataOf, type Step, wayOf } from './ways.ts';

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

/** A message without a word is refused, and Slack has answered. */
const EMPTY = { main: { text: '', blocks: [] }, thread: undefined };

/**
 * Whether Slack takes messages by this step, asked without sending one: what is told once more is told
 * where it will arrive. Never throws.
 */
async function takesMessages(step: Step, letter: Letter, deps: PostingDeps): Promise<boolean> {
  const way = wayOf(step, { ...letter, mark: undefined }, deps);
  if (way === undefined) return false;
  try {
    await way(EMPTY);
    return true;
  } catch (thrown) {
    return slackErrorOf(thrown) === 'no_text';
  }
}

/**
 * After a doubtful step, the one by which the message is told once more: another one below it, so that
 * what fails for this message alone does not fail again, else the same; the audit channel only where
 * nothing else is left. Undefined: none answers now.
 */
export async function stepAfterDoubt(
  doubtful: number,
  letter: Letter,
  deps: PostingDeps,
): Promise<number | undefined> {
  const below = letter.steps.map((step, index) => ({ step, index })).slice(doubtful + 1);
  const people = below.filter(({ step }) => step !== 'audit');
  const others = below.filter(({ step }) => step === 'audit');
  const same = letter.steps
    .slice(doubtful, doubtful + 1)
    .map((step) => ({ step, index: doubtful }));
  for (const { step, index } of [...people, ...same, ...others]) {
    if (await takesMessages(step, letter, deps)) return index;
  }
  return undefined;
}
