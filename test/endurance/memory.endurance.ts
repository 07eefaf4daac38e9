import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { knownActions, startSteward } from '../../src/app/app.ts';
import { systemClock } from '../../src/app/clock.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import { type LeanSlack, startLeanSlack } from '../bench/lean-slack.ts';
import { createRunningClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';

const FIRST = Number(process.env['FIRST'] ?? 1_000);
const COMMANDS = Number(process.env['COMMANDS'] ?? 10_000);
const AT_ONCE = 50;
const IDLE_S = 2 * 3_600;
/** What a heap varies by from one collection to the next. */
const MARGIN_MB = 6;

/** A bot in this process, so that its heap can be collected and its time can pass. */
async function startBot() {
  const clock = createRunningClock();
  const folder = await mkdtemp(join(tmpdir(), 'steward-memory-'));
  const slack = await startLeanSlack();
  const plane = await startControlPlane({ clock: systemClock });
  const limits = 'limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\n';
  await writeFile(join(folder, 'steward.yaml'), `${playgroundSettings()}${limits}`);
  const env = {
    SLACK_BOT_TOKEN: 'xoxb-fake-memory',
    SLACK_APP_TOKEN: 'xapp-fake-memory',
    SLACK_API_URL: slack.apiUrl,
    CONTROL_API_URL: plane.url,
    ACME_KEY_SECRET: 'fake-key-secret-steward',
    KAFKA_PASSWORD: 'fake-kafka-password',
    LAKE_SECRET_KEY: 'fake-lake-secret-key',
    DISK_KEY: 'fake-disk-encryption-key',
    STEWARD_CONFIG: join(folder, 'steward.yaml'),
    DATABASE_URL: `sqlite:${join(folder, 'steward.db')}`,
  };
  const configuration = loadConfiguration({ env, knownActions });
  const steward = await startSteward({ configuration, clock, env, logger: silentLogger });
  const close = async (): Promise<void> => {
    await steward.stop();
    await slack.close();
    await plane.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { clock, slack, steward, close };
}

/** Reads and questions in turn, so many at once. */
async function type(slack: LeanSlack, commands: number): Promise<void> {
  let left = commands;
  const person = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (left % 2 === 0) await slack.type('can stop scratch', 'You may use');
      else await slack.type('stop scratch', 'Stop *scratch*?');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, person));
}

/** What is left once everything that can go has gone. */
async function heapMb(): Promise<number> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Run it by npm run test:endurance: it needs --expose-gc.');
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look += 1) {
    await wait(200);
    gc();
    least = Math.min(least, process.memoryUsage().heapUsed / 1_048_576);
  }
  return least;
}

it(`${COMMANDS} commands and two hours of idling hold no more memory than the first ${FIRST}`, async () => {
  const { clock, slack, steward, close } = await startBot();
  try {
    await type(slack, FIRST);
    const first = await heapMb();
    await type(slack, COMMANDS - FIRST);
    const all = await heapMb();
    for (let second = 0; second < IDLE_S; second += 1) {
      clock.pass(1_000);
      await steward.housekeep();
    }
    const idle = await heapMb();
    process.stderr.write(
      `heap: ${first.toFixed(1)} MB after ${FIRST} commands, ${all.toFixed(1)} MB after ${COMMANDS}, ${idle.toFixed(1)} MB after two hours\n`,
    );
    expect(all).toBeLessThan(first + MARGIN_MB);
    expect(idle).toBeLessThan(first + MARGIN_MB);
  } finally {
    await close();
  }
});
