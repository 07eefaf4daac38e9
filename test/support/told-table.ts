import type { Moment } from '../../src/sandbox/workspace/state/faults.ts';
import { pause, readBy, type ToldBench } from './told-bench.ts';
import { REFUSALS, type Refusal } from './told-faults.ts';
import type { Scenario } from './told-scenarios.ts';

/** One row: this message, refused so at this step of its ladder, at this moment. */
export type Row = {
  readonly name: string;
  readonly scenario: Scenario;
  readonly rung: number;
  readonly refusal: Refusal;
  readonly moment: Moment;
};

/** The whole table of a message; what nothing could be done against is left out. */
export function rowsOf(scenario: Scenario): readonly Row[] {
  return scenario.ladder.flatMap((rung, index) =>
    REFUSALS.filter((refusal) => isTold(scenario, index, refusal)).flatMap((refusal) =>
      refusal.moments.map((moment) => ({
        name: `${rung.method} ${rung.to ?? ''}, ${refusal.name}, ${moment}`,
        ...{ scenario, rung: index, refusal, moment },
      })),
    ),
  );
}

/** A certain refusal needs a step below it; against a limit waiting helps what is kept. */
function isTold(scenario: Scenario, index: number, { failure, certain }: Refusal): boolean {
  if (failure === 'cant_update_message' && scenario.ladder[index]?.method !== 'chat.update') {
    return false;
  }
  const isLimit = typeof failure !== 'string' || failure === 'ratelimited';
  return certain !== true || hasMore(scenario, index) || (isLimit && scenario.unkept !== true);
}

/** A limit at the last step: there is nothing else to tell it by meanwhile. */
function waitsAlone({ scenario, rung, refusal }: Row): boolean {
  return refusal.certain === true && !hasMore(scenario, rung);
}

function hasMore({ ladder, or }: Scenario, rung: number): boolean {
  return rung < ladder.length - 1 || or !== undefined;
}

/**
 * Every second refusal once, the others by the next message, at steps and moments that turn about;
 * `seed` tells messages apart.
 */
export function sampleOf(rows: readonly Row[], seed: number): readonly Row[] {
  return REFUSALS.flatMap((refusal, index) => {
    if ((seed + index) % 2 === 1) return [];
    const fitting = rows.filter((row) => row.refusal === refusal);
    return fitting[(seed + index) % Math.max(1, fitting.length)] ?? [];
  });
}

/** People wait no longer for the first word of it; the machine may be busy. */
const PATIENCE_MS = 12_000;
const MARK = /Perhaps a repetition|told meanwhile in a message of its own/;

/** On a busy machine a modal opens too late; then the row has not begun. */
const TRIES = 3;

/** What is wrong with a row; nothing when it was told as promised. */
export async function tryRow(row: Row, bench: ToldBench): Promise<string | undefined> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await once(row, bench);
    } catch (thrown) {
      if (left === 1) return String(thrown).slice(0, 200);
    }
  }
}

async function once(row: Row, bench: ToldBench): Promise<string | undefined> {
  const { scenario } = row;
  const { world, clock } = bench;
  world.plane.reset();
  world.plane.changeSettings({ rateLimit: { limit: 10_000 } });
  try {
    await scenario.prepare?.(bench);
    await bench.quiet(300);
    const before = readBy(bench.at(scenario.reader));
    planFaults(row, bench);
    await scenario.bring(bench);
    const heard = waitsAlone(row) ? undefined : await firstWord(scenario, bench, before);
    await bench.quiet(row.refusal.hangs === true ? 4_600 : 1_200);
    const soon = waitsAlone(row) ? undefined : complaint(scenario, bench, before, { last: false });
    if (await bench.waits()) {
      clock.pass(20 * 60_000);
      await world.steward.housekeep();
      await bench.quiet(500);
    }
    return heard ?? soon ?? complaint(scenario, bench, before, { last: true });
  } finally {
    await cleanUp(bench);
  }
}

/** All that waits is over before the next row. */
async function cleanUp({ world, clock, quiet, at }: ToldBench): Promise<void> {
  world.workspace.faults.heal();
  if (at('ana').state.views.length > 0) await at('ana').closeModal({ all: true });
  if (at('ben').state.views.length > 0) await at('ben').closeModal({ all: true });
  clock.pass(41 * 60_000);
  await world.steward.housekeep();
  await quiet(300);
}

/** The better steps are refused for certain, this one fails once. */
function planFaults({ scenario, rung, refusal, moment }: Row, { world }: ToldBench): void {
  const { ladder, wire } = scenario;
  const { faults } = world.workspace;
  ladder.slice(0, rung + 1).forEach((step, index) => {
    const where = (sent: Readonly<Record<string, unknown>>) =>
      wire.test(String(sent['text'])) &&
      (step.to === undefined || sent['channel'] === step.to) &&
      (sent['thread_ts'] !== undefined) === (scenario.inThread ?? false);
    if (index < rung) {
      faults.plan(step.method, { failure: 'not_in_channel', times: Infinity, where });
    } else faults.plan(step.method, { failure: refusal.failure, moment, where });
  });
}

type Before = ReturnType<typeof readBy>;

async function firstWord(
  scenario: Scenario,
  bench: ToldBench,
  before: Before,
): Promise<string | undefined> {
  const begun = performance.now();
  while (toldIn(scenario, bench, before).length === 0) {
    if (performance.now() - begun > PATIENCE_MS) return `nobody heard within ${PATIENCE_MS} ms`;
    await pause(250);
  }
  return undefined;
}

/** What the reader can read of it now, and could not before. */
function toldIn(scenario: Scenario, bench: ToldBench, before: Before): readonly string[] {
  const { words, or, reader, where } = scenario;
  const { workspace } = bench.world;
  const audit = workspace.channelId('#audit');
  return [...readBy(bench.at(reader))]
    .filter(([key, { text }]) => before.get(key)?.text !== text)
    .filter(([, { message }]) => {
      if (where === '#audit') return message.channel === audit;
      if (where === 'private') return message.ephemeral || message.channel.startsWith('D');
      return message.channel !== audit;
    })
    .map(([, { text }]) => text)
    .filter((text) => words.test(text) || or?.test(text) === true);
}

function complaint(
  scenario: Scenario,
  bench: ToldBench,
  before: Before,
  { last }: { readonly last: boolean },
): string | undefined {
  const told = toldIn(scenario, bench, before);
  const when = last ? 'at last' : 'soon';
  if (told.length === 0) return `${when}: told never`;
  // A card that says what a message says too is the same told in two places on purpose.
  const own = scenario.or === undefined ? told : told.filter((text) => scenario.words.test(text));
  const unmarked = own.filter((text) => !MARK.test(text));
  if (own.length > 2 || unmarked.length > 1)
    return `${when}: told ${own.length} times: ${own.join(' | ')}`;
  return last ? standing(scenario, bench, told) : undefined;
}

/** Whether the card that stood there says its last, or a message says so. */
function standing(
  { card, words, or = words }: Scenario,
  bench: ToldBench,
  told: readonly string[],
): string | undefined {
  if (card === undefined) return undefined;
  const open = bench
    .at('ana')
    .state.messages.filter(({ ephemeral, channel }) => ephemeral || channel === 'C0OPS')
    .map((message) => bench.at('ana').text(message))
    .filter((text) => card.test(text) && text.includes('…'));
  return open.length > 0 && !told.some((text) => words.test(text) || or.test(text))
    ? `a card stands there unfinished: ${open.join(' | ')}`
    : undefined;
}
