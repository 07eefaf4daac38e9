import { getTasks } from 'node-cron';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScheduledDigest } from '../../../src/core/ports/digests.ts';
import { createDigestCron, type DigestCron } from '../../../src/digest/run/cron.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

const FINANCE: ScheduledDigest = {
  channel: 'C0FINANCE',
  enabled: true,
  digest: { at: '09:00', zone: 'Europe/Berlin', services: ['*'], every: 'day' },
};

let cron: DigestCron | undefined;
afterEach(async () => {
  await cron?.stop();
});

const names = (): readonly (string | undefined)[] =>
  [...getTasks().values()].map(({ name }) => name);

function withSchedules(
  list: () => Promise<readonly ScheduledDigest[]>,
  tick: () => Promise<void> = async () => undefined,
) {
  let ticks = 0;
  const recording = createRecordingLogger();
  cron = createDigestCron({
    list,
    tick: async () => {
      ticks += 1;
      await tick();
    },
    coordinator: { shouldRun: () => true },
    logger: recording.logger,
    firstLookMs: 10,
  });
  return { cron, ticks: () => ticks, logs: recording.lines };
}

describe('the triggers of cost summaries', () => {
  it('stand for each channel that is on, and go when it stops', async () => {
    const { cron: made, ticks } = withSchedules(async () => [
      FINANCE,
      { ...FINANCE, channel: 'C0OFF', enabled: false },
      { ...FINANCE, channel: 'C0PAUSED', paused: { at: '', reason: 'is_archived' } },
    ]);
    await made.start();
    expect(names()).toEqual(['digest C0FINANCE 09:00 Europe/Berlin']);
    const before = ticks();
    await [...getTasks().values()][0]?.execute();
    expect(ticks()).toBe(before + 1);
    await made.stop();
    expect(names()).toEqual([]);
  });

  it('look soon after the start, and follow a schedule that changed', async () => {
    let at = '09:00';
    const { cron: made, ticks } = withSchedules(async () => [
      { ...FINANCE, digest: { ...FINANCE.digest, at } },
    ]);
    await made.start();
    at = '07:30';
    await expect.poll(names).toEqual(['digest C0FINANCE 07:30 Europe/Berlin']);
    expect(ticks()).toBe(1);
  });

  it('put what node-cron has to say into the log', async () => {
    const { cron: made, logs } = withSchedules(
      async () => [FINANCE],
      async () => {
        throw new Error('the tick fell over');
      },
    );
    await made.start();
    await [...getTasks().values()][0]?.execute().catch(() => undefined);
    expect(logs).toContainEqual(
      expect.objectContaining({
        level: 'error',
        fields: {
          from: 'node-cron',
          cause: expect.objectContaining({ message: 'the tick fell over' }),
        },
      }),
    );
  });

  it('survive a database that does not answer', async () => {
    let answers = true;
    const { cron: made, logs } = withSchedules(async () => {
      if (!answers) throw new Error('the database is away');
      return [FINANCE];
    });
    await made.start();
    answers = false;
    await expect.poll(() => logs.map(({ level }) => level)).toEqual(['error']);
  });
});
