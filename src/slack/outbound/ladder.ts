import type { Card } from '../../core/card/card.ts';
import { type DeliveryEnd, FRESH, type Progress } from '../../core/ports/outbox.ts';
import { say } from '../../core/text/text.ts';
import { channelOf, type PostingDeps } from './deps.ts';
import { findPosted } from './find-posted.ts';
import { failureOf } from './slack-failure.ts';
import { type Letter, metadataOf, type Step, sendBy } from './ways.ts';
import type { Posted } from './web.ts';

/** A changed message may be changed again, so it is; anything else would stand there twice. */
const UPDATE_TRIES = 3;
const BETWEEN_TRIES_MS = 500;
/** How often Slack may leave it open whether a message stands there: two may. */
const DOUBTS = 2;
/** So often a process may end with it begun: most did not come to send it. */
const ENDINGS = 4;
/** A row that nothing could be done for is given up after about a day. */
const ATTEMPTS = 40;
const SOON_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

const PERHAPS_THERE = 'perhaps it stands there all the same';
const REPEATED = say`Perhaps a repetition: Slack did not confirm the first message.`;

/**
 * Walks the ladder for one message: a certain refusal goes one step down at once; doubt is looked
 * into, or told once more, marked; what asks for patience waits as a row while people hear by another
 * step. Never throws. Design: §10.
 */
export async function climbDown(
  letter: Letter,
  deps: PostingDeps,
  before: Progress = FRESH,
): Promise<DeliveryEnd> {
  const walk: Walk = { letter, deps, progress: before, reasons: [] };
  // What a process that is gone was sending: only what cannot be repeated is in doubt.
  if (before.perhapsTold && before.told === undefined) {
    const step = letter.steps[before.step];
    if (await isThere(walk)) return { state: 'told', by: step ?? 'post' };
    if (before.doubts >= ENDINGS && step !== undefined && !isIdempotent(step, letter)) {
      return { state: 'undelivered', reason: `${step}: ${PERHAPS_THERE}` };
    }
  }
  for (;;) {
    const step = letter.steps[walk.progress.step];
    if (step === undefined) return atTheBottom(walk);
    const end = await tryStep(step, walk);
    if (end !== undefined) return end;
  }
}

type Walk = {
  readonly letter: Letter;
  readonly deps: PostingDeps;
  progress: Progress;
  readonly reasons: string[];
  /** A better step that has to wait. */
  held?: { readonly step: number; readonly inMs: number } | undefined;
};

/** Undefined: on with the step that `progress` now names. */
async function tryStep(step: Step, walk: Walk): Promise<DeliveryEnd | undefined> {
  const { letter, deps, progress } = walk;
  try {
    const sent = await sendBy(step, { ...letter, card: marked(letter.card, walk) }, deps);
    if (sent === undefined) return down(walk, `${step}: no way`);
    return told(step, sent.message, walk);
  } catch (thrown) {
    const { kind, error, retryInMs } = failureOf(thrown);
    deps.logger.info({ step, kind, error }, 'a message was not taken');
    if (kind === 'limited') walk.held ??= { step: progress.step, inMs: retryInMs };
    if (kind === 'doubt' && progress.told !== undefined) owe(step, walk);
    // What people have heard is not told again further down.
    if (progress.told !== undefined && kind !== 'unsent') return atTheBottom(walk);
    if (kind === 'refused' || kind === 'limited') return down(walk, `${step}: ${error}`);
    if (kind === 'unsent') return later(walk, `${step}: ${error}`);
    return await inDoubt(step, error, walk);
  }
}

function down(walk: Walk, reason: string): undefined {
  walk.reasons.push(reason);
  walk.progress = { ...walk.progress, step: walk.progress.step + 1 };
  return undefined;
}

function told(step: Step, message: Posted | undefined, walk: Walk): DeliveryEnd {
  const { held, progress } = walk;
  if (held === undefined || !isOwed(walk, held.step, step))
    return { state: 'told', by: progress.told ?? step, message };
  const owed = { ...progress, step: held.step, told: step, perhapsTold: true };
  return { state: 'later', progress: owed, inMs: held.inMs };
}

/** The channel has not read it, or its message still says something else. */
function isOwed({ letter }: Walk, held: number, by: Step): boolean {
  if (letter.steps[held] === 'update') return true;
  return !(letter.card.audience === 'requester' || by === 'response-url');
}

/** Waits for a step that will be possible; else nobody can be told. */
function atTheBottom(walk: Walk): DeliveryEnd {
  const { held, progress, reasons } = walk;
  if (held !== undefined && progress.attempts < ATTEMPTS) {
    const again = { ...progress, step: held.step, attempts: progress.attempts + 1 };
    return { state: 'later', progress: again, inMs: held.inMs };
  }
  if (progress.told !== undefined) return { state: 'told', by: progress.told };
  return { state: 'undelivered', reason: reasons.join('; ').slice(0, 500) };
}

/** The same step again, after a pause that grows. */
function later(walk: Walk, reason: string): DeliveryEnd {
  const { progress, reasons } = walk;
  reasons.push(reason);
  if (progress.attempts >= ATTEMPTS) return atTheBottom({ ...walk, held: undefined });
  const again = { ...progress, attempts: progress.attempts + 1 };
  return { state: 'later', progress: again, inMs: pauseAfter(progress) };
}

function pauseAfter({ attempts }: Progress): number {
  return Math.min(1_000 * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS);
}

/** Told elsewhere or not, a message that says something else is changed as soon as Slack lets it. */
function owe(step: Step, walk: Walk): void {
  const { progress, letter } = walk;
  if (letter.repeatable === true) walk.held ??= { step: progress.step, inMs: SOON_MS };
  if (step === 'update') walk.held ??= { step: progress.step, inMs: pauseAfter(progress) };
}

function isIdempotent(step: Step, { replace, repeatable }: Letter): boolean {
  return repeatable === true || step === 'update' || (step === 'response-url' && replace === true);
}

async function inDoubt(step: Step, error: string, walk: Walk): Promise<DeliveryEnd | undefined> {
  const { deps, letter, progress } = walk;
  const again = { ...progress, attempts: progress.attempts + 1 };
  if (isIdempotent(step, letter)) {
    walk.progress = again;
    if (again.attempts % UPDATE_TRIES === 0) {
      owe(step, walk);
      return down(walk, `${step}: ${error}`);
    }
    await deps.clock.sleep(BETWEEN_TRIES_MS);
    return undefined;
  }
  const doubts = progress.doubts + 1;
  walk.progress = { ...again, doubts };
  const found = step === 'post' ? await look(walk) : 'cannot-look';
  if (found === 'there') return { state: 'told', by: step };
  if (found === 'not-there' && doubts <= DOUBTS) return undefined;
  if (doubts >= DOUBTS) {
    return { state: 'undelivered', reason: `${step}: ${error}; ${PERHAPS_THERE}` };
  }
  walk.progress = { ...walk.progress, perhapsTold: true };
  // While nothing answers, the one repetition that is left would be lost as well.
  if (!(await answers(walk))) return later(walk, `${step}: ${error}`);
  return down(walk, `${step}: ${error}`);
}

async function answers({ deps }: Walk): Promise<boolean> {
  try {
    await deps.web.authTest();
    return true;
  } catch (thrown) {
    return failureOf(thrown).kind === 'refused';
  }
}

async function isThere(walk: Walk): Promise<boolean> {
  return walk.letter.steps[walk.progress.step] === 'post' && (await look(walk)) === 'there';
}

async function look({ letter, deps }: Walk): Promise<'there' | 'not-there' | 'cannot-look'> {
  const channelId = channelOf(letter.to.place);
  const metadata = metadataOf(letter);
  if (metadata === undefined || channelId === undefined) return 'cannot-look';
  const from = letter.mark?.at ?? '';
  const found = await findPosted(channelId, { metadata, from }, deps);
  return typeof found === 'string' ? found : 'there';
}

function marked(card: Card, { progress, letter }: Walk): Card {
  const step = letter.steps[progress.step];
  if (!progress.perhapsTold || (step === 'update' && progress.told === undefined)) return card;
  return {
    ...card,
    context: card.context === undefined ? REPEATED : say`${card.context} ${REPEATED}`,
  };
}
