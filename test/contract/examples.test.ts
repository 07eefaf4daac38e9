import { DateTime } from 'luxon';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation/operation.ts';
import { readSlash } from '../../src/core/slash/slash.ts';
import { operations } from '../../src/operations/index.ts';
import { type JournalReader, openJournalReader } from '../support/journal-reader.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { labelled, wordOf } from '../support/reading.ts';
import { createRunningClock } from '../support/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** What an example leaves to the form, by field. */
const TYPED_IN_THE_FORM: Readonly<Record<string, string>> = {
  confirmId: '6601aa00bb11cc22dd33ee03',
};

/** A stop is announced, and does not come while the examples run. */
function withTonight(yaml: string): string {
  const at = DateTime.utc().plus({ hours: 3 }).toFormat('HH:mm');
  const days = '[mon, tue, wed, thu, fri, sat, sun]';
  return `${allowEverything(yaml)}schedules:
  dev-nights:
    services: [tag:dev]
    stop: { at: '${at}', days: ${days} }
    zone: UTC
    channel: ops
    notice: 4h
    snooze: { by: [leads], most: 3h, times: 2 }
`;
}

/** The API takes ten requests in ten seconds: each case has them for itself. */
const clock = createRunningClock();
beforeEach(() => clock.pass(10_000));

let world: StewardWorld;
let journal: JournalReader;
beforeAll(async () => {
  world = await startWorld({ settings: withTonight, clock });
  await world.steward.sleep();
  journal = await openJournalReader(world.env['DATABASE_URL'] ?? '');
});
afterAll(async () => {
  await journal.close();
  await world.close();
});

type Case = readonly [id: string, example: string, operation: Operation];
/** What only one cloud has is tried in sight.test.ts. */
const HERE = operations.filter(({ onlyIn }) => onlyIn === undefined);
const CASES: readonly Case[] = HERE.flatMap((operation) =>
  operation.slash.examples.map((example): Case => [operation.id, example, operation]),
);
const GUARDED = CASES.filter(([, , operation]) => operation.open !== true);

/** Waits until the newest journal row of an operation is a later one with this outcome. */
async function expectRow(operation: string, outcome: RegExp, after: number): Promise<void> {
  const seen = async (): Promise<string> => {
    const row = await newest(operation);
    return row === undefined || row.number <= after ? 'none yet' : row.outcome;
  };
  await expect.poll(seen, { timeout: 12_000 }).toMatch(outcome);
}

async function newest(operation: string) {
  return (await journal.find({ operations: [operation], limit: 1 }))[0];
}

function sent(): number {
  return world.plane.requests().length;
}

function refusals(): readonly unknown[] {
  return world.workspace
    .traffic()
    .filter(({ direction, problem }) => direction === 'from-bot' && problem !== null)
    .map(({ what, problem }) => [what, problem]);
}

describe.each(GUARDED)('%s, as in %j, where no rule allows it', (id, example) => {
  it('is refused with the reason, and nothing is sent to the API', async () => {
    const ana = world.as('ana').in('#random');
    const before = (await newest(id))?.number ?? 0;
    await ana.command(`/db ${example}`);
    await expectRow(id, /^denied$/u, before);
    await ana.expectEphemeral(new RegExp(`has no rule for ${id}`, 'u'));
    expect(sent()).toBe(0);
  });
});

describe.each(CASES)('%s, as in %j, where everything is allowed', (id, example, operation) => {
  it('runs, and what it says is taken by the workspace', async () => {
    const ben = world.as('ben').in('#ops');
    const before = (await newest(id))?.number ?? 0;
    await ben.command(`/db ${example}`.trim());
    const complete = !('issues' in operation.prepare(rawOf(example)));
    await settle(ben, operation, complete);
    await expectRow(id, complete ? /^done$/u : /^(?:form|invalid)$/u, before);
    expect(refusals()).toEqual([]);
    if (!complete) await ben.closeModal();
  });
});

it('leaves a journal whose chain of hashes holds', async () => {
  expect(await journal.verify()).toMatchObject({ ok: true });
});

function rawOf(example: string) {
  const reading = readSlash(example, operations);
  if (reading.kind !== 'operation') throw new TypeError(`Nobody understands ${example}.`);
  return reading.raw;
}

/** Answers what is asked on the way: the form, then the question. */
async function settle(person: Person, operation: Operation, complete: boolean): Promise<void> {
  if (!complete || operation.confirm === 'form') {
    await person.expectModal(new RegExp(operation.title, 'u'));
    if (!complete) return;
    for (const field of operation.fields) {
      const text = TYPED_IN_THE_FORM[field.key];
      if (text !== undefined) await person.fill(field.label, text);
    }
    await person.submit();
  }
  if (operation.confirm === 'press') await person.click(await questionOf(person));
}

/** The label of the newest question's first button. */
async function questionOf(person: Person): Promise<string> {
  const message = await person.expectEphemeral(/You can answer until/u);
  const button = labelled(message.blocks).find(({ element }) =>
    String(element['action_id']).startsWith('confirm:'),
  );
  return wordOf(button?.element['text']);
}
