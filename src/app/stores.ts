import type { Environment } from '../config/environment.ts';
import type { DigestLedger, DigestSubscriptions } from '../core/ports/digests.ts';
import type { Clock, Logger } from '../core/ports/ports.ts';
import type { SleepLedger } from '../core/ports/sleep.ts';
import type { SmallMemory } from '../core/ports/stores.ts';
import type { CurrentSettings } from '../core/settings/settings.ts';
import {
  createDeliveries,
  createRunCoordinator,
  type Deliveries,
  type RunCoordinator,
} from '../storage/claims.ts';
import { type CostStore, createCostStore } from '../storage/costs/cost-store.ts';
import { type Database, openDatabase } from '../storage/database/database.ts';
import { parseDatabaseUrl } from '../storage/database/database-url.ts';
import { createDigestLedger } from '../storage/digests/digest-ledger.ts';
import { createDigestSubscriptions } from '../storage/digests/digest-subscriptions.ts';
import { createDirectory, type StoredDirectory } from '../storage/directory.ts';
import { createFormStore, type SweptFormStore } from '../storage/form-store.ts';
import { type Instance, startInstance } from '../storage/instances.ts';
import { type AuditJournal, createJournal } from '../storage/journal/journal.ts';
import { createSpool } from '../storage/journal/spool.ts';
import { createKeyValue } from '../storage/key-value.ts';
import { createOneTimeSecrets, type SweptOneTimeSecrets } from '../storage/one-time-secrets.ts';
import { createOutbox, type SweptOutbox } from '../storage/outbox.ts';
import { createPendingStore, type SweptPendingStore } from '../storage/pending-store.ts';
import { deriveKey } from '../storage/seal.ts';
import { createCloudActivities } from '../storage/sight/cloud-activities.ts';
import { createFollows } from '../storage/sight/follows.ts';
import { createSleepLedger } from '../storage/sleep/sleep-ledger.ts';

export type Stores = {
  readonly db: Database;
  readonly instance: Instance;
  readonly journal: AuditJournal;
  readonly outbox: SweptOutbox;
  readonly pending: SweptPendingStore;
  readonly directory: StoredDirectory;
  readonly follows: ReturnType<typeof createFollows>;
  readonly cloudActivities: ReturnType<typeof createCloudActivities>;
  readonly costs: CostStore;
  readonly ledger: DigestLedger;
  readonly subscriptions: DigestSubscriptions;
  readonly sleepLedger: SleepLedger;
  readonly forms: SweptFormStore;
  readonly secrets: SweptOneTimeSecrets;
  readonly deliveries: Deliveries;
  /** What only one of the replicas may do, once. */
  readonly runs: RunCoordinator;
  readonly memory: SmallMemory;
  /** What is wrong with the database now; empty when it answers. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export type StoreTools = {
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** All stores over one database. Throws AppError `storage`. */
export async function openStores(
  environment: Pick<Environment, 'databaseUrl' | 'secretKey'>,
  { settings, clock, logger }: StoreTools,
): Promise<Stores> {
  const db = await openDatabase(environment.databaseUrl, { logger });
  const instance = await startInstance(db, clock);
  const key = deriveKey(environment.secretKey);
  const owner = { clock, instance: instance.id, key };
  const spool = createSpool(spoolBase(environment.databaseUrl), instance.id);
  return {
    db,
    instance,
    journal: createJournal(db, { owner, spool, logger }),
    outbox: createOutbox(db, owner),
    pending: createPendingStore(db, owner),
    directory: createDirectory(db, clock, settings),
    follows: createFollows(db, owner),
    cloudActivities: createCloudActivities(db, owner),
    costs: createCostStore(db),
    ledger: createDigestLedger(db, owner),
    subscriptions: createDigestSubscriptions(db, clock),
    sleepLedger: createSleepLedger(db, owner),
    forms: createFormStore(db, clock),
    secrets: createOneTimeSecrets(db, clock, {
      key,
      keptMs: () => settings.get().passwordForMs,
    }),
    deliveries: createDeliveries(db, clock),
    runs: createRunCoordinator(db, clock),
    memory: createKeyValue(db),
    problems: async () => {
      try {
        await db.ping();
        return [];
      } catch {
        return ['the database does not answer'];
      }
    },
    close: async () => {
      await instance.stop();
      await db.close();
    },
  };
}

/** Beside the file; with Postgres beside the process. */
function spoolBase(databaseUrl: string): string | undefined {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.kind === 'postgres') return 'steward';
  return address.file === ':memory:' ? undefined : address.file;
}
