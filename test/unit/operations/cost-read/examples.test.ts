import { expect, it } from 'vitest';
import type { DirectoryEntry } from '../../../../src/core/ports/ports.ts';
import { readSlash } from '../../../../src/core/slash/slash.ts';
import { sumUnits } from '../../../../src/cost/book/units.ts';
import { costRead } from '../../../../src/operations/cost-read/cost-read.ts';
import { SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import { validateMessage } from '../../../../src/sandbox/workspace/validator/message.ts';
import { startCostWorld } from '../../../support/cost-world.ts';
import { overDatabases } from '../../../support/databases.ts';
import { fakePorts } from '../../../support/operation-ports.ts';
import { executed, rendered, wordsOf } from '../../../support/run-operation.ts';

const ENTRIES = Object.values(SERVICES).map(
  ({ id, name, tag }): DirectoryEntry => ({
    id,
    name,
    organization: 'acme',
    tags: [tag],
    source: 'configuration',
  }),
);

overDatabases('cost.read before the stand-in', ({ fresh }) => {
  async function run(text: string) {
    const database = await fresh();
    const world = await startCostWorld(await database.open());
    const reading = readSlash(text, [costRead]);
    if (reading.kind !== 'operation') throw new TypeError(`not understood: ${text}`);
    const ports = fakePorts({ entries: ENTRIES, costs: world.reader });
    const { card } = await executed(costRead, reading.raw, ports);
    return { card, world };
  }

  it.each(costRead.slash.examples)('runs the example "%s"', async (text) => {
    const { card } = await run(text);
    const { thread: _, ...message } = rendered(card);
    expect(validateMessage(message)).toMatchObject({ ok: true });
    expect(wordsOf(card)[0]).toMatch(/[\d,.]+ units/u);
  });

  it.each(['service', 'day', 'metric', 'tag'])('adds up by %s', async (by) => {
    const range = { from: '2026-11-01', to: '2026-11-20' };
    const { card, world } = await run(`cost ${range.from}..${range.to} --by ${by}`);
    const cells = (card.table?.rows ?? []).map((row) => row[1]);
    const sum = sumUnits(cells.map((cell) => (typeof cell === 'object' ? cell.number : 0)));
    expect(sum).toBe(await world.apiUnits(range));
  });

  it('tells of an outage as a fault where nothing is stored', async () => {
    const database = await fresh();
    const world = await startCostWorld(await database.open());
    world.plane.faults.add({ kind: 'html504' });
    const ports = fakePorts({ entries: ENTRIES, costs: world.reader });
    await expect(executed(costRead, { range: 'yesterday' }, ports)).rejects.toMatchObject({
      name: 'AppError',
      retryable: true,
    });
  });
});
