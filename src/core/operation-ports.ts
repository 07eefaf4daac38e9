import type { CostReader } from './cost-ports.ts';
import type {
  Clock,
  ControlApi,
  ControlReads,
  Credentials,
  Directory,
  DirectoryReads,
  JournalReads,
  OneTimeSecrets,
  PendingStore,
  Policy,
} from './ports.ts';
import type { OperationInfo } from './registry.ts';
import type { CurrentSettings } from './settings.ts';

/** All that an operation may read while it plans. */
export type ReadPorts = {
  readonly control: ControlReads;
  /** Keeps what it reads, so that a plan may ask too. */
  readonly costs: CostReader;
  readonly directory: DirectoryReads;
  readonly journal: JournalReads;
  readonly clock: Clock;
  readonly settings: CurrentSettings;
  readonly credentials: Credentials;
  /** The policy as it judges this asker here: for menus, help and `can`. */
  readonly policy: Policy;
  readonly pending: Pick<PendingStore, 'open'>;
  /** Every operation, for help, menu and `can`. */
  readonly catalogue: readonly OperationInfo[];
};

/** All that it may use while it executes. */
export type Ports = Omit<ReadPorts, 'control' | 'directory'> & {
  readonly control: ControlApi;
  readonly directory: Directory;
  readonly secrets: OneTimeSecrets;
};
