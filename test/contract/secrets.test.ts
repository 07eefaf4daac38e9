import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { TrafficRecord } from '../../src/sandbox/workspace/state/traffic.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const CANARIES = {
  KAFKA_PASSWORD: 'fake-canary-kafka-2b7e151628aed2a6',
  LAKE_SECRET_KEY: 'fake-canary-lake-abf7158809cf4f3c',
  DISK_KEY: 'fake-canary-disk-762e7160f38b4da5',
  SECRET_KEY: 'ZmFrZS1jYW5hcnktc2VjcmV0LWtleS0zMi1ieXRlcyE=',
};
/** Pasted by somebody who did not read the hint. */
const PASTED = 'fake-canary-pasted-9e3779b97f4a7c15';

let world: StewardWorld;
let password: string;

beforeAll(async () => {
  world = await startWorld({ settings: allowEverything, env: CANARIES });
  const ana = world.as('ana').in('#ops');
  await createService(ana);
  password = await revealPassword(ana);
  await createPipe(ana);
  await pasteSecret(ana);
  await loseAnswer(ana);
});
afterAll(() => world.close());

async function createService(ana: Person): Promise<void> {
  await ana.command('/db create vault --preset small --ip-access-list 203.0.113.7');
  await ana.click('More settings …');
  await ana.expectModal(/Hide: More settings/u);
  await ana.select('Disk encryption key', 'disk-key');
  await ana.submit();
  await ana.expectMessage(/@ana created vault/u);
}

async function revealPassword(ana: Person): Promise<string> {
  await ana.click('Show password once');
  const view = await ana.expectModal(/Copy it now/u);
  await ana.closeModal();
  const text = preformattedIn(view.blocks);
  if (text === undefined) throw new TypeError('There is no password in the modal.');
  return text;
}

async function createPipe(ana: Person): Promise<void> {
  await ana.command(
    '/db pipe analytics --name orders --source-kind kafka --kafka-brokers b.example.com:9092 --kafka-topics orders --table orders --managed-table true --columns "id UInt64" --field-mappings "id -> id" --kafka-credentials kafka-prod',
  );
  await ana.submit();
  await ana.expectMessage(/@ana created the pipe orders/u);
}

/** Refused beside the field, and not kept for a second try. */
async function pasteSecret(ana: Person): Promise<void> {
  await ana.command('/db pipe analytics --name leak --source-kind kafka');
  await ana.fill('Brokers', `user:${PASTED}@b.example.com:9092`);
  await ana.submit();
  await ana.expectModalError('Brokers', /looks like a secret, so it was not kept/u);
  await ana.closeModal();
}

/** An unknown outcome is told in the channel and journaled. */
async function loseAnswer(ana: Person): Promise<void> {
  world.plane.faults.add({ kind: 'status', status: 500, match: { method: 'POST' } });
  await ana.command(
    '/db pipe analytics --name failing --source-kind objectStorage --storage-url https://lake.example.com/*.json --storage-access-key lake-key --table orders --managed-table true --columns "id UInt64" --field-mappings "id -> id"',
  );
  await ana.submit();
  await ana.expectMessage(/The pipe failing may have been created/u);
  world.plane.faults.clear();
}

describe('planted secrets', () => {
  it('are used: the API is sent what the names stand for', () => {
    const sent = JSON.stringify(world.plane.requests().map(({ body }) => body));
    expect(sent).toContain(CANARIES.KAFKA_PASSWORD);
    expect(sent).toContain(CANARIES.LAKE_SECRET_KEY);
    expect(sent).toContain(CANARIES.DISK_KEY);
    expect(password).toMatch(/^\S{8,}$/u);
  });

  it('never reach Slack, but for the password in the one modal that shows it', () => {
    const leaks = world.workspace
      .traffic()
      .filter(({ direction }) => direction === 'from-bot')
      .filter((record) =>
        [...configured(), PASTED, password].some((secret) => holds(record, secret)),
      )
      .map(({ what }) => what);
    expect(leaks).toEqual(['views.update']);
  });

  it('never reach the logs, at debug level', () => {
    expect(world.logs.length).toBeGreaterThan(0);
    const logs = JSON.stringify(world.logs, withErrors);
    for (const secret of [...configured(), PASTED, password]) expect(logs).not.toContain(secret);
  });

  it('never reach the database or its journal', async () => {
    const bytes = await world.dataBytes();
    expect(bytes).toContain('kafka-prod');
    for (const secret of [...configured(), PASTED, password]) {
      expect(bytes.includes(secret), secret).toBe(false);
    }
  });
});

function configured(): readonly string[] {
  const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '', ACME_KEY_SECRET = '' } = world.env;
  const { OBSERVABILITY_API_TOKEN = '' } = world.env;
  const others = [SLACK_BOT_TOKEN, SLACK_APP_TOKEN, ACME_KEY_SECRET, OBSERVABILITY_API_TOKEN];
  expect(others.every((secret) => secret.length > 8)).toBe(true);
  return [...Object.values(CANARIES), ...others];
}

/** The bot's own token stands in headers, not in what is logged here. */
function holds({ sent, answered }: TrafficRecord, secret: string): boolean {
  return JSON.stringify({ sent, answered }).includes(JSON.stringify(secret).slice(1, -1));
}

/** Errors with their causes, as pino prints them. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { ...value, message: value.message, stack: value.stack, cause: value.cause };
}

function preformattedIn(blocks: readonly Json[]): string | undefined {
  const found = /"rich_text_preformatted","elements":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")/u;
  const text = found.exec(JSON.stringify(blocks))?.[1];
  return text === undefined ? undefined : String(JSON.parse(text));
}
