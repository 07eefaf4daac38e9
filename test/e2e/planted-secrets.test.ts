import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultRequest } from '../../src/sandbox/control-plane/faults.ts';
import { DASHBOARDS } from '../../src/sandbox/control-plane/seed.ts';
import { besiege, type Siege } from '../support/attacks.ts';
import { createRunningClock } from '../support/settable-clock.ts';

const FAULTS: readonly FaultRequest[] = [
  { kind: 'status', status: 400 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 409 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'html504' },
  { kind: 'cut' },
  { kind: 'cut-after' },
  { kind: 'malformed' },
  { kind: 'empty' },
  { kind: 'plain' },
  { kind: 'oversized' },
];

/** Each API takes ten requests in ten seconds. */
const PACE_MS = 10_000;
const clock = createRunningClock();

describe.each(['socket', 'http'] as const)('planted secrets, over %s', (mode) => {
  let siege: Siege;
  /** What must be found nowhere but where it is used. */
  let planted: Record<string, string> = {};
  beforeAll(async () => {
    siege = await besiege({
      mode,
      clock,
      env: { SECRET_KEY: 'fake-secret-key-of-32-characters-x' },
    });
    const { env, workspace } = siege.world;
    planted = {
      'the key of the control API': env['ACME_KEY_SECRET'] ?? '',
      'the token of the observability API': env['OBSERVABILITY_API_TOKEN'] ?? '',
      'a password of credentials': env['KAFKA_PASSWORD'] ?? '',
      'a key of credentials': env['LAKE_SECRET_KEY'] ?? '',
      'an encryption key of credentials': env['DISK_KEY'] ?? '',
      SECRET_KEY: env['SECRET_KEY'] ?? '',
      'the bot token': workspace.botToken,
      'the app token': workspace.appToken,
      'the signing secret': workspace.signingSecret,
    };
    for (const secret of Object.values(planted)) expect(secret.length).toBeGreaterThan(8);
  });
  afterAll(() => siege.close());

  it('are found nowhere after a day of work, faults and a restart included', {
    timeout: 40_000,
  }, async () => {
    const ana = () => siege.world.as('ana').in('#ops');
    const password = await createService(siege);
    for (const text of [
      'services',
      'status',
      'help',
      'log',
      'can stop analytics',
      'endpoint analytics',
    ]) {
      await ana().command(`/db ${text}`);
    }
    await ana().command('/db pipe analytics');
    await ana().expectModal(/pipe/i);
    await ana().closeModal({ all: true });
    await sufferFaults(siege, mode === 'socket' ? 0 : 1);
    siege.world.plane.faults.clear();
    siege.world.workspace.faults.failNext('chat.postMessage', 'channel_not_found', 2);
    siege.world.workspace.faults.failNext('chat.postEphemeral', 'internal_error', 2);
    await ana().command('/db start reporting');
    await siege.world.restart();
    await ana().command('/db start archive');
    await ana().expectMessage(/archive[\s\S]*(?:the API answered|already)/);

    const secrets = { ...planted, 'the generated password': password };
    for (const [what, secret] of Object.entries(secrets)) {
      const shown = what === 'the generated password' ? /^views\.update$/u : undefined;
      expect(said(siege, shown), what).not.toContain(secret);
      expect(await siege.world.dataBytes(), what).not.toContain(secret);
      expect(JSON.stringify(siege.world.logs, causes), what).not.toContain(secret);
      expect(JSON.stringify(await siege.rows()), what).not.toContain(secret);
      expect(
        siege.world.plane
          .requests()
          .map(({ path }) => path)
          .join(),
        what,
      ).not.toContain(secret);
    }
    // The password was told: in one view and never again.
    expect(occurrences(said(siege), password)).toBe(1);
    expect(JSON.stringify(siege.world.logs).length).toBeGreaterThan(1_000);
  });
});

/** Over both transports each of the two APIs has every fault. */
async function sufferFaults(siege: Siege, turn: number): Promise<void> {
  const ana = siege.world.as('ana').in('#ops');
  const ben = siege.world.as('ben').in('#ops');
  for (const [index, fault] of FAULTS.entries()) {
    if (index % 2 === turn) {
      const text = index % 4 < 2 ? 'start reporting' : 'endpoint analytics';
      await struck(siege, fault, () => ana.command(`/db ${text}`));
    } else {
      await ben.command(`/db dashboard delete ${DASHBOARDS.unused}`);
      await ben.expectModal(/Delete a dashboard/);
      await ben.fill('Type the id again to confirm', DASHBOARDS.unused);
      await struck(siege, fault, () => ben.submit());
    }
  }
  expect(siege.world.plane.requests().filter((sent) => sent.fault)).toHaveLength(FAULTS.length);
}

/** One request of the bot goes wrong so; waits until the journal says how it ended. */
async function struck(siege: Siege, fault: FaultRequest, ask: () => Promise<unknown>) {
  clock.pass(PACE_MS);
  siege.world.plane.faults.clear();
  siege.world.plane.faults.add({ ...fault, times: 1 });
  const newest = await siege.lastRow();
  await ask();
  await expect
    .poll(
      async () => {
        const [latest] = await siege.rows(newest);
        return latest?.outcome;
      },
      { timeout: 10_000 },
    )
    .toMatch(/done|failed|unknown/);
}

/** Creates a service, looks at its password once, and gives back what the API made up. */
async function createService(siege: Siege): Promise<string> {
  const ana = siege.world.as('ana').in('#ops');
  await ana.command('/db create nightly --preset small --ip-access-list 203.0.113.7');
  await ana.expectModal(/Create a service/);
  await ana.submit();
  await ana.click('Show password once');
  await ana.expectModal(/Copy it now/);
  const { views } = ana.state;
  const found = /"text":"([^"]{12,60})"\}\]\}\]/u.exec(JSON.stringify(views.at(-1)?.blocks))?.[1];
  await ana.closeModal({ all: true });
  if (found === undefined) throw new Error(`No password in ${JSON.stringify(views)}`);
  return found;
}

/** All that the bot said: its calls, and its answers to payloads. */
function said(siege: Siege, except = /(?!)/u): string {
  return JSON.stringify(
    siege.world.workspace
      .traffic()
      .filter(({ what }) => !except.test(what))
      .map(({ direction, sent, answered }) =>
        direction === 'from-bot' ? withoutToken(sent) : answered,
      ),
  );
}

/** `auth.test` carries the bot token in its body, where Slack wants it. */
function withoutToken(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  return { ...sent, token: undefined };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Errors print as `{}` otherwise. */
function causes(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { ...value, text: String(value.stack), cause: value.cause };
}
