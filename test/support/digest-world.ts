import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores } from '../../src/app/stores.ts';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import { createRegistry } from '../../src/core/operation/registry.ts';
import type { DigestKey, DigestLedger, DigestPoster } from '../../src/core/ports/digests.ts';
import type { Clock } from '../../src/core/ports/ports.ts';
import type { Settings } from '../../src/core/settings/settings.ts';
import { createCostReader } from '../../src/cost/read/reader.ts';
import { createDigestRunner } from '../../src/digest/run/runner.ts';
import { createSchedules } from '../../src/digest/run/schedules.ts';
import { createDigestWriter } from '../../src/digest/write/writer.ts';
import { operations } from '../../src/operations/index.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { ACME, KEYS } from '../../src/sandbox/control-plane/seed.ts';
import {
  createSettableClock,
  type SettableClock,
} from '../../src/sandbox/control-plane/settable-clock.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { createAuditHealth } from '../../src/slack/outbound/audit.ts';
import { createRichnessMemory } from '../../src/slack/outbound/deliver.ts';
import { createDelivery } from '../../src/slack/outbound/delivery/delivery.ts';
import { createDigestPoster } from '../../src/slack/outbound/digest-poster.ts';
import { createSlackWeb } from '../../src/slack/web/web.ts';
import { fakePorts } from './operation-ports.ts';
import { createRecordingLogger, type RecordedLine } from './recording-logger.ts';

/** Where a replica dies: with its claim made and nothing posted, or posted and not recorded. */
export type Death = 'before-post' | 'after-post';

export type Replica = {
  /** Also the sign of life that housekeeping gives. */
  tick(): Promise<void>;
  /** Ticks until it dies there; nothing of it runs afterwards. */
  dieAt(death: Death): Promise<void>;
  /** Slack takes the next post, and its answer is lost on the way. */
  loseAnswer(): void;
  readonly ledger: DigestLedger;
  close(): Promise<void>;
};

export type DigestWorld = {
  readonly clock: SettableClock;
  readonly plane: ControlPlane;
  readonly workspace: Workspace;
  readonly logs: readonly RecordedLine[];
  replica(): Promise<Replica>;
  close(): Promise<void>;
};

export type DigestWorldOptions = {
  readonly start: string;
  readonly settings: Settings;
  /** Whether the bot may read its channels' history. */
  readonly historyScope: boolean;
};

/** Everything of the summaries that is real: stand-ins over HTTP, SQLite, runner, poster. */
export async function startDigestWorld(options: DigestWorldOptions): Promise<DigestWorld> {
  const clock = createSettableClock({ start: options.start });
  const plane = await startControlPlane({ clock });
  plane.changeSettings({ rateLimit: { limit: 10_000 } });
  const workspace = await startWorkspace({
    clock,
    manifest: manifestWith(options.historyScope),
    mode: 'socket',
  });
  for (const { id } of options.settings.channels) workspace.admin.add(id);
  const folder = await mkdtemp(join(tmpdir(), 'steward-digests-'));
  const recording = createRecordingLogger();
  const parts = { clock, plane, workspace, settings: options.settings, logger: recording.logger };
  return {
    clock,
    plane,
    workspace,
    logs: recording.lines,
    replica: () => startReplica(parts, `sqlite:${join(folder, 'steward.db')}`),
    close: async () => {
      await workspace.close();
      await plane.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Parts = Pick<DigestWorld, 'clock' | 'plane' | 'workspace'> & {
  readonly settings: Settings;
  readonly logger: ReturnType<typeof createRecordingLogger>['logger'];
};

async function startReplica(parts: Parts, databaseUrl: string): Promise<Replica> {
  const { clock, plane, workspace, logger } = parts;
  const settings = { get: () => parts.settings };
  const stores = await openStores({ databaseUrl }, { settings, clock, logger });
  const api = createControlApi({
    baseUrl: plane.url,
    organizations: () => parts.settings.organizations,
    clock: impatient(clock),
    logger,
  });
  const costs = createCostReader({
    control: api,
    store: stores.costs,
    clock,
    directory: stores.directory,
  });
  const { memory, directory, ledger, subscriptions } = stores;
  const { restatements } = stores.costs;
  const web = createSlackWeb({
    token: workspace.botToken,
    apiUrl: workspace.apiUrl,
    clock: impatient(clock),
    logger,
  });
  const posting = {
    ...{ web, clock, logger, ports: { settings, clock, permalink: () => undefined } },
    richness: createRichnessMemory(memory),
    scrub: (text: string) => text,
    auditHealth: createAuditHealth(),
    registry: createRegistry(operations),
    ...{ forms: stores.forms, pending: stores.pending, outbox: stores.outbox },
    policy: fakePorts().policy,
    track: <T>(work: Promise<T>) => work,
  };
  const real = createDigestPoster({ ...posting, delivery: createDelivery(posting) });
  const mortal = createMortalPoster(real);
  const runner = createDigestRunner({
    instance: stores.instance.id,
    schedules: createSchedules({ settings, subscriptions, memory }),
    subscriptions,
    ledger,
    writer: createDigestWriter({
      costs,
      restatements,
      directory,
      settings,
      isMuted: async () => false,
      slept: async () => [],
      stopped: async () => [],
    }),
    poster: mortal.poster,
    settings,
    clock,
    logger,
  });
  return {
    ledger,
    tick: async () => {
      await stores.instance.beat();
      await runner.tick();
    },
    dieAt: async (death) => {
      const died = mortal.dieAt(death);
      await stores.instance.beat();
      void runner.tick();
      await died;
    },
    loseAnswer: mortal.loseAnswer,
    close: async () => {
      await api.close();
      await stores.db.close();
    },
  };
}

function createMortalPoster(real: DigestPoster): {
  readonly poster: DigestPoster;
  dieAt(death: Death): Promise<void>;
  loseAnswer(): void;
} {
  let death: Death | undefined;
  let losing = false;
  let died: () => void = () => undefined;
  const never = new Promise<never>(() => undefined);
  return {
    loseAnswer: () => {
      losing = true;
    },
    dieAt: (at) =>
      new Promise((resolve) => {
        death = at;
        died = resolve;
      }),
    poster: {
      ...real,
      post: async (key: DigestKey, card) => {
        if (losing) {
          losing = false;
          await real.post(key, card);
          return { kind: 'unknown', reason: 'Slack did not answer' };
        }
        if (death === undefined) return await real.post(key, card);
        if (death === 'after-post') await real.post(key, card);
        died();
        return await never;
      },
    },
  };
}

/** Short waits pass at once, and the time with them; deadlines stand. */
function impatient(clock: SettableClock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: async (milliseconds, signal) => {
      if (milliseconds > 5_000) return await clock.sleep(milliseconds, signal);
      clock.advance(milliseconds);
    },
  };
}

function manifestWith(historyScope: boolean): unknown {
  const manifest = createManifest({ command: '/db', operations: [], mode: 'socket' });
  if (!historyScope) return manifest;
  return JSON.parse(
    JSON.stringify(manifest).replace('"chat:write"', '"channels:history","chat:write"'),
  );
}

/** The organization of the seed with its key. */
export const ACME_SETTINGS: Settings['organizations'][number] = {
  key: 'acme',
  id: ACME.id,
  keyId: KEYS.admin.id,
  keySecret: KEYS.admin.secret,
  names: 'neutral',
};
