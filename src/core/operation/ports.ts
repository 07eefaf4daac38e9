import type { CostReader } from '../ports/costs.ts';
import type { Risk } from '../ports/decision.ts';
import type { DigestReads, Digests } from '../ports/digests.ts';
import type { JournalReads } from '../ports/journal.ts';
import type { MessageRef, Outbox } from '../ports/outbox.ts';
import type { PendingStore } from '../ports/pending.ts';
import type {
  Clock,
  ControlApi,
  ControlReads,
  Credentials,
  Directory,
  DirectoryReads,
  Membership,
  OneTimeSecrets,
  Policy,
} from '../ports/ports.ts';
import type { ClosedEye, Sights } from '../ports/sight.ts';
import type { SleepReads, Sleeps } from '../ports/sleep.ts';
import type { Trouble } from '../ports/troubles.ts';
import type { CurrentSettings, NamesMode } from '../settings/settings.ts';
import type { Field } from './fields.ts';

/** All that an operation may read while it plans. */
export type ReadPorts = {
  readonly control: ControlReads;
  /** Keeps what it reads, so that a plan may ask too. */
  readonly costs: CostReader;
  readonly directory: DirectoryReads;
  /** What the clouds show beyond the specification, where they do. */
  readonly sights: Sights;
  readonly journal: JournalReads;
  readonly clock: Clock;
  readonly settings: CurrentSettings;
  readonly credentials: Credentials;
  /** The policy as it judges this asker here: for menus, help and `can`. */
  readonly policy: Policy;
  readonly pending: Pick<PendingStore, 'open'>;
  /** What could not be told to anybody. */
  readonly outbox: Pick<Outbox, 'undelivered' | 'places'>;
  /** The way to a message in Slack; absent where Slack did not name its own address. */
  permalink(message: MessageRef): string | undefined;
  /** Every operation, for help, menu and `can`. */
  readonly catalogue: readonly OperationInfo[];
  readonly status: Status;
  readonly digests: DigestReads;
  readonly sleeps: SleepReads;
};

/** All that it may use while it executes. */
export type Ports = Omit<ReadPorts, 'control' | 'directory' | 'digests' | 'sleeps'> & {
  readonly control: ControlApi;
  readonly directory: Directory;
  readonly secrets: OneTimeSecrets;
  readonly digests: Digests;
  readonly sleeps: Sleeps;
};

/** What this process knows of its own health. */
export type Status = {
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  database(): Promise<'answers' | 'does not answer'>;
  /** Open connections from Slack to this process. */
  connections(): number;
  /** How many other processes of Steward live on the same database. */
  others(): Promise<number>;
  /** The last cost summary posted in a channel, and whether posting there is paused. */
  summary(scope: {
    readonly channel: string;
    readonly organization: string;
    readonly period: 'day' | 'week' | 'month';
  }): Promise<{
    /** First UTC day of the period, YYYY-MM-DD. */
    readonly day?: string | undefined;
    readonly state?: string | undefined;
    /** Days (YYYY-MM-DD) of the last two weeks of which none was posted. */
    readonly missed?: readonly string[] | undefined;
    readonly paused?: { readonly at: string; readonly reason: string } | undefined;
  }>;
  /** Reads that a cloud refused to this process, for a while. */
  closedEyes(): readonly ClosedEye[];
  /** Whether the bot is in a channel, asked of Slack now. */
  botIn(channelId: string): Promise<Membership>;
  /** What is wrong around this process, and around others on the same database. */
  troubles(): Promise<readonly Trouble[]>;
  /** Why the audit channel took no message the last time; absent where it did, or none was sent. */
  audit(): { readonly channelId: string; readonly reason: string; readonly at: string } | undefined;
  /** The control API as this process last saw it: absent where nothing was asked yet. */
  control(): {
    readonly answeredAt?: string | undefined;
    readonly failedAt?: string | undefined;
    /** An error code. */
    readonly failure?: string | undefined;
  };
};

/** What help, the menu and `can` may know of an operation. */
export type OperationInfo = {
  /** `noun.verb`; also the permission, the audit action and the form's callback id. */
  readonly id: `${string}.${string}`;
  readonly summary: string;
  /** Title of the form: at most 24 characters. */
  readonly title: string;
  readonly risk: Risk;
  readonly slash: {
    readonly words: readonly string[];
    readonly positional: readonly string[];
    /** A word that means the same where no other operation has it. */
    readonly also?: string | undefined;
    /** Printed by help, run by the contract test. */
    readonly examples: readonly string[];
  };
  readonly badge?: 'Beta' | 'Experimental' | undefined;
  /** Open to every member: help, menu and `can`, which show only what the policy grants anyway. */
  readonly open?: boolean | undefined;
  /** Its permission on a service lets a person know of it, though no field asks for one. */
  readonly listsServices?: boolean | undefined;
  /** Asked for without a word it answers at once: its fields only narrow what it says. */
  readonly atOnce?: boolean | undefined;
  /** Offered beside a service in lists, where its last known state lets it make sense. */
  readonly beside?:
    | { readonly label: string; fits(state: string | undefined): boolean }
    | undefined;
  /** Only where an organization's cloud speaks so; elsewhere nobody hears of it. */
  readonly onlyIn?: NamesMode | undefined;
  readonly fields: readonly Field[];
};
