import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/app/clock.ts';
import { operations } from '../../src/operations/index.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { BEARER, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import type { Service } from '../../src/sandbox/control-plane/state/model.ts';
import { createSeed } from '../../src/sandbox/control-plane/state/seed-data.ts';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import type { PersonaSeed } from '../../src/sandbox/workspace/state/options.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { freshPostgres } from '../support/fresh-postgres.ts';

export const OPERATORS = ['opa', 'opb', 'opc', 'opd', 'ope', 'opf', 'opg', 'oph'] as const;
export const LEADS = ['lea', 'leb', 'lec', 'led', 'lee', 'lef'] as const;

/** Each command has a subject of its own, by which its request, row and messages are known. */
const SUBJECTS = {
  on: 'dev',
  off: 'dev',
  prod: 'prod',
  deny: 'prod',
  glass: 'prod',
} as const;
/** So many of each subject, and of channels for cost summaries. */
const EACH = 90;

export type Grounds = {
  readonly plane: ControlPlane;
  readonly workspace: Workspace;
  readonly folder: string;
  readonly databaseUrl: string;
  /** Of a bot process. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** The stand-ins, the rules and an empty database: all that a bot process needs. */
export async function createGrounds(kind: 'sqlite' | 'postgres'): Promise<Grounds> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-endurance-'));
  const subjects = serviceNames().map((name) => ({ name, id: randomUUID() }));
  const plane = await startControlPlane({
    clock: systemClock,
    settings: { rateLimit: { limit: 10_000 } },
    seed: (clock) => {
      const seed = createSeed(clock.now());
      return { ...seed, services: [...seed.services, ...servicesOf(seed.services, subjects)] };
    },
  });
  const workspace = await startWorkspace({
    clock: systemClock,
    manifest: createManifest({ command: '/db', operations, mode: 'socket' }),
    mode: 'socket',
    personas: [...OPERATORS, ...LEADS].map(personaOf),
    channels: [
      { id: 'C0OPS', name: 'ops', members: everybody() },
      { id: 'C0AUDIT', name: 'audit', members: everybody() },
      ...digestChannels().map((name) => ({
        id: channelIdOf(name),
        name,
        members: everybody(),
      })),
    ],
    userGroups: [{ id: 'S0OPS', handle: 'ops', name: 'Operators', users: ['U0OPA'] }],
  });
  await writeFile(join(folder, 'steward.yaml'), rulesFor(subjects));
  const database =
    kind === 'sqlite'
      ? sqliteIn(folder)
      : await freshPostgres(process.env['TEST_POSTGRES_URL'] ?? '', 'steward_endurance');
  return {
    plane,
    workspace,
    folder,
    databaseUrl: database.url,
    env: environmentOf({ plane, workspace, folder, databaseUrl: database.url }),
    close: async () => {
      await workspace.close();
      await plane.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function userIdOf(person: string): string {
  return `U0${person.toUpperCase()}`;
}

export function numbered(word: string, number: number): string {
  return `${word}-${String(number).padStart(4, '0')}`;
}

function everybody(): readonly string[] {
  return [...OPERATORS, ...LEADS].map(userIdOf);
}

function personaOf(name: string): PersonaSeed {
  return {
    id: userIdOf(name),
    name,
    realName: name,
    kind: 'member',
    zone: 'Europe/Berlin',
    email: `${name}@acme.example`,
  };
}

function digestChannels(): readonly string[] {
  return Array.from({ length: EACH }, (_, at) => numbered('sum', at));
}

export function channelIdOf(name: string): string {
  return `C0${name.replace('-', '').toUpperCase()}`;
}

type Named = { readonly name: string; readonly id: string };

function serviceNames(): readonly string[] {
  return Object.keys(SUBJECTS).flatMap((word) =>
    Array.from({ length: EACH }, (_, at) => numbered(word, at)),
  );
}

function servicesOf(seeded: readonly Service[], subjects: readonly Named[]): readonly Service[] {
  const running = seeded.find(({ id }) => id === SERVICES.scratch.id);
  const stopped = seeded.find(({ id }) => id === SERVICES.reporting.id);
  if (running === undefined || stopped === undefined) throw new Error('The seed has changed.');
  return subjects.map(({ name, id }) => {
    const like = name.startsWith('on-') ? stopped : running;
    return { ...like, id, fields: { ...like.fields, name } };
  });
}

function rulesFor(subjects: readonly Named[]): string {
  const services = subjects.map(({ name, id }) => {
    const tag = name.startsWith('on-') || name.startsWith('off-') ? 'dev' : 'prod';
    return `  ${name}: { id: ${id}, organization: acme, tags: [${tag}] }\n`;
  });
  const channels = digestChannels().map(
    (name) =>
      `  ${name}: { id: ${channelIdOf(name)}, allow: [{ actions: ['digest.*'], who: [operators, leads] }] }\n`,
  );
  const of = (people: readonly string[]) => people.map(userIdOf).join(', ');
  return playgroundSettings()
    .replace(/^ {2}finance:\n {4}id:[\s\S]*?(?=^defaults)/mu, '')
    .replace(/^ {2}finance: .*\n/mu, '')
    .replace('\nservices:\n', `\nservices:\n${services.join('')}`)
    .replace('\nchannels:\n', `\nchannels:\n${channels.join('')}`)
    .replace(/operators: \{ users: \[\]/u, `operators: { users: [${of(OPERATORS)}]`)
    .replace(/leads: \{ users: \[.*?\]/u, `leads: { users: [${of(LEADS)}]`)
    .replace(
      "      - { actions: ['*.read']",
      "      - { actions: [approval.break-glass], who: [operators] }\n      - { actions: ['*.read']",
    )
    .concat('limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\n');
}

function environmentOf({
  plane,
  workspace,
  folder,
  databaseUrl,
}: Pick<Grounds, 'plane' | 'workspace' | 'folder' | 'databaseUrl'>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: workspace.apiUrl,
    CONTROL_API_URL: plane.url,
    OBSERVABILITY_API_URL: plane.url,
    OBSERVABILITY_API_TOKEN: BEARER.token,
    ACME_KEY_SECRET: 'fake-key-secret-steward',
    KAFKA_PASSWORD: 'fake-kafka-password',
    LAKE_SECRET_KEY: 'fake-lake-secret-key',
    DISK_KEY: 'fake-disk-encryption-key',
    // Response URLs that were sealed have to outlive the process.
    SECRET_KEY: 'fake-secret-key-of-the-endurance-suite',
    STEWARD_CONFIG: join(folder, 'steward.yaml'),
    DATABASE_URL: databaseUrl,
  };
}

type TestDatabase = { readonly url: string; remove(): Promise<void> };

function sqliteIn(folder: string): TestDatabase {
  return { url: `sqlite:${join(folder, 'steward.db')}`, remove: async () => undefined };
}
