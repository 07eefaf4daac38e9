import type { Card } from '../../../core/card/card.ts';
import { type DeliveryEnd, FRESH, type Progress } from '../../../core/ports/outbox.ts';
import { say, type Text } from '../../../core/text/text.ts';
import { failureOf } from '../../web/slack-failure.ts';
import type { Posted } from '../../web/web.ts';
import type { PostingDeps } from '../deps.ts';
import { answers, lookFor, stepAfterDoubt } from './doubt.ts';
import { type Letter, type Step, sendBy } from './ways.ts';

/** A changed message may be changed again, so it is; anything else would stand there twice. */
const CHANGE_TRIES = 3;
const BETWEEN_TRIES_MS = 500;
/** Slack did not answer for so long: people hear by another step first. */
const HANGING_MS = 2_000;
/**
 * How often Slack may leave it open whether a message stands there: most often it does not, and told
 * to nobody is worse than told once too often.
 */
const CHANCES = 3;
/** Two ways in a row failed: the last chance waits until that is over. */
const LAST_CHANCE_MS = 40_000;
/** A row that nothing could be done for is given up after about a day. */
const ATTEMPTS = 40;
const LONGEST_PAUSE_MS = 30 * 60_000;

const PERHAPS_THERE = 'perhaps it stands there all the same';
const REPEATED = say`Perhaps a repetition: Slack did not confirm the first message.`;
const TOLD_BESIDE = say`Slack accepted this late; it was told meanwhile in a message of its own.`;

/**
 * Walks the ladder for one message: a certain refusal goes one step down at once; doubt is looked
 * into, or told once more, marked, where Slack answers; what has to wait, and a message that could not
 * be changed, waits as a row while people hear by another step. Never throws. Design: §10.
 */
export async function climbDown(
  letter: Letter,
  deps: PostingDeps,
  before: Progress = FRESH,
): Promise<DeliveryEnd> {
  const walk: Walk = { letter, deps, progress: before, reasons: [], tries: 0 };
  const end = await resumed(walk);
  if (end !== undefined) return end;
  for (;;) {
    const step = letter.steps[walk.progress.step];
    if (step === undefined) return atTheBottom(walk);
    const ended = await tryStep(step, walk);
    if (ended !== undefined) return ended;
  }
}

type Walk = {
  readonly letter: Letter;
  readonly deps: PostingDeps;
  progress: Progress;
  readonly reasons: string[];
  /** Of the step at hand. */
  tries: number;
  /** A better step that has to wait. */
  held?: { readonly step: number; readonly inMs: number } | undefined;
};

/** What an earlier walk, or a process that is gone, left in doubt. */
async function resumed(walk: Walk): Promise<DeliveryEnd | undefined> {
  const { progress, letter, deps } = walk;
  const by = letter.steps[progress.step];
  if (!progress.perhapsTold || by === undefined || changes(by, letter)) return undefined;
  if (progress.told !== undefined) {
    // People have heard already: a crash on the way of what was still owed is no reason for a third.
    return progress.endings === 0 ? undefined : { state: 'told', by: progress.told };
  }
  if (by === 'post' && (await lookFor(letter, deps)) === 'there') return { state: 'told', by };
  return await whereSlackAnswers(walk, `${by}: in doubt`);
}

/** Undefined: on with the step that `progress` now names. */
async function tryStep(step: Step, walk: Walk): Promise<DeliveryEnd | undefined> {
  const { letter, deps } = walk;
  const since = deps.clock.monotonic();
  try {
    const sent = await sendBy(step, sendingOf(step, walk), deps);
    if (sent === undefined) return down(walk, `${step}: no way`);
    return told(step, sent.message, walk);
  } catch (thrown) {
    const { kind, error, retryInMs } = failureOf(thrown);
    const reason = `${step}: ${error}`;
    deps.logger.info({ step, kind, error }, 'a message was not taken');
    switch (kind) {
      case 'unsent':
        return later(walk, reason);
      case 'limited':
        hold(walk, retryInMs);
        return onward(walk, reason);
      case 'refused':
        return onward(walk, reason);
      case 'doubt': {
        if (!changes(step, letter)) return await inDoubt(step, reason, walk);
        const hangs = deps.clock.monotonic() - since > HANGING_MS;
        return await changeInDoubt(walk, reason, hangs);
      }
    }
  }
}

/** What may be sent again and again needs no note that it was begun. */
function sendingOf(step: Step, walk: Walk) {
  const letter = { ...walk.letter, card: marked(walk.letter.card, walk) };
  const begin = async () => {
    if (!changes(step, letter)) await letter.begin?.(walk.progress);
  };
  return { letter, begin };
}

/** What people have heard is not told again further down. */
function onward(walk: Walk, reason: string): DeliveryEnd | undefined {
  return walk.progress.told === undefined ? down(walk, reason) : atTheBottom(walk);
}

async function changeInDoubt(
  walk: Walk,
  reason: string,
  hangs: boolean,
): Promise<DeliveryEnd | undefined> {
  walk.tries += 1;
  if (!hangs && walk.tries < CHANGE_TRIES) {
    await walk.deps.clock.sleep(BETWEEN_TRIES_MS);
    return undefined;
  }
  hold(walk, pauseAfter(walk.progress));
  walk.progress = { ...walk.progress, perhapsTold: true };
  return onward(walk, reason);
}

/** Whether it puts words in the place of others: again and again that is the same. */
function changes(step: Step, letter: Letter): boolean {
  return step === 'update' || (step === 'response-url' && letter.replace === true);
}

function hold(walk: Walk, inMs: number): void {
  walk.held ??= { step: walk.progress.step, inMs };
}

function down(walk: Walk, reason: string): undefined {
  walk.reasons.push(reason);
  walk.tries = 0;
  walk.progress = { ...walk.progress, step: walk.progress.step + 1 };
  return undefined;
}

function told(step: Step, message: Posted | undefined, walk: Walk): DeliveryEnd {
  const { held, progress } = walk;
  if (held === undefined || !isOwed(walk, held.step, step))
    return { state: 'told', by: progress.told ?? step, message };
  const owed = { ...progress, step: held.step, told: step, perhapsTold: true, endings: 0 };
  return { state: 'later', progress: owed, inMs: held.inMs };
}

/** The channel has not read it, or its message still says something else. */
function isOwed({ letter }: Walk, held: number, by: Step): boolean {
  const step = letter.steps[held];
  if (step !== undefined && changes(step, letter)) return true;
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
function later(walk: Walk, reason: string, atLeastMs = 0): DeliveryEnd {
  const { progress, reasons } = walk;
  reasons.push(reason);
  if (progress.attempts >= ATTEMPTS) return atTheBottom({ ...walk, held: undefined });
  const inMs = Math.max(pauseAfter(progress), atLeastMs);
  return { state: 'later', progress: { ...progress, attempts: progress.attempts + 1 }, inMs };
}

function pauseAfter({ attempts }: Progress): number {
  return Math.min(1_000 * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS);
}

async function inDoubt(step: Step, reason: string, walk: Walk): Promise<DeliveryEnd | undefined> {
  const { deps, letter, progress } = walk;
  if (progress.told !== undefined) return atTheBottom(walk);
  const doubts = progress.doubts + 1;
  walk.progress = { ...progress, doubts };
  const found = step === 'post' ? await lookFor(letter, deps) : 'cannot-look';
  if (found === 'there') return { state: 'told', by: step };
  if (found === 'not-there' && doubts < CHANCES) return undefined;
  const chances = CHANCES - doubts;
  if (chances <= 0) {
    return { state: 'undelivered', reason: `${reason}; ${PERHAPS_THERE}`, perhaps: true };
  }
  walk.progress = {
    ...walk.progress,
    perhapsTold: true,
    step: stepAfterDoubt(progress.step, letter, deps),
  };
  if (chances === 1) return later(walk, reason, LAST_CHANCE_MS);
  return await whereSlackAnswers(walk, reason);
}

/** While nothing answers, the one repetition that is left would be lost as well. */
async function whereSlackAnswers(walk: Walk, reason: string): Promise<DeliveryEnd | undefined> {
  return (await answers(walk.deps)) ? undefined : later(walk, reason);
}

function marked(card: Card, { progress, letter }: Walk): Card {
  const step = letter.steps[progress.step];
  const isChange = step !== undefined && changes(step, letter);
  if (isChange && progress.told === undefined) return card;
  // Its details stand below the message that told it.
  if (isChange) return withNote({ ...card, details: undefined }, TOLD_BESIDE);
  return progress.perhapsTold ? withNote(card, REPEATED) : card;
}

function withNote(card: Card, note: Text): Card {
  return { ...card, context: card.context === undefined ? note : say`${card.context} ${note}` };
}
