import type { PipeRecord } from '../cloud/pipe.ts';
import type {
  ActivityRecord,
  BackupRecord,
  DashboardRecord,
  InvitationRecord,
  OrganizationRecord,
} from '../cloud/records.ts';
import type { ServiceRecord } from '../cloud/service.ts';
import type { CallOptions, Reply } from './ports.ts';

/**
 * The reads that a cloud may have beyond the specification. Each throws AppError like every call of
 * the client; `createSights` makes of them eyes that never throw. Design: §14.
 */
export type CloudReads = {
  services(organization: string, call?: CallOptions): Promise<Reply<readonly ServiceRecord[]>>;
  service(
    organization: string,
    serviceId: string,
    call?: CallOptions,
  ): Promise<Reply<ServiceRecord>>;
  pipe(
    organization: string,
    ids: { readonly serviceId: string; readonly pipeId: string },
    call?: CallOptions,
  ): Promise<Reply<PipeRecord>>;
  /** Of a span of time, both ends included, in no promised order. */
  activities(
    organization: string,
    span: Span,
    call?: CallOptions,
  ): Promise<Reply<readonly ActivityRecord[]>>;
  /** Those that the organization's key sees, whichever is set. */
  organizations(
    organization: string,
    call?: CallOptions,
  ): Promise<Reply<readonly OrganizationRecord[]>>;
  /** Neither accepted nor deleted; expired ones as well. */
  invitations(
    organization: string,
    call?: CallOptions,
  ): Promise<Reply<readonly InvitationRecord[]>>;
  pipes: ListOfService<PipeRecord>;
  /** In no promised order, those that are being made or failed as well. */
  backups: ListOfService<BackupRecord>;
  /** Of the cloud itself, not of a server of its own. */
  dashboards: ListOfService<DashboardRecord>;
};

type ListOfService<T> = (
  organization: string,
  serviceId: string,
  call?: CallOptions,
) => Promise<Reply<readonly T[]>>;

/** Moments, ISO 8601 in UTC. */
export type Span = { readonly from: string; readonly to: string };

export type Eye = keyof CloudReads;

/**
 * What one look showed. `missing`: the cloud answered, and there is no such thing. `unseen`: nobody
 * could look, for the reason in words.
 */
export type Look<T> =
  | { readonly kind: 'seen'; readonly value: T }
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'unseen';
      readonly because: string;
      /** Only for now: people need the API's limit. */
      readonly isBusy?: boolean | undefined;
      /** The cloud refuses this read (403, 404): another one may show the same. */
      readonly isRefused?: boolean | undefined;
    };

/** The reads of one organization's cloud. No look throws, and none holds a command back. Design: §14. */
export type Sight = {
  services(call?: CallOptions): Promise<Look<readonly ServiceRecord[]>>;
  service(serviceId: string, call?: CallOptions): Promise<Look<ServiceRecord>>;
  pipe(
    ids: { readonly serviceId: string; readonly pipeId: string },
    call?: CallOptions,
  ): Promise<Look<PipeRecord>>;
  activities(span: Span, call?: CallOptions): Promise<Look<readonly ActivityRecord[]>>;
  organizations(call?: CallOptions): Promise<Look<readonly OrganizationRecord[]>>;
  invitations(call?: CallOptions): Promise<Look<readonly InvitationRecord[]>>;
  pipes(serviceId: string, call?: CallOptions): Promise<Look<readonly PipeRecord[]>>;
  backups(serviceId: string, call?: CallOptions): Promise<Look<readonly BackupRecord[]>>;
  dashboards(serviceId: string, call?: CallOptions): Promise<Look<readonly DashboardRecord[]>>;
};

/** An eye that the cloud refused: nobody looks through it until then. */
export type ClosedEye = {
  readonly organization: string;
  readonly eye: Eye;
  /** Of one service alone, by its id: it has no such list. */
  readonly serviceId?: string | undefined;
  /** Words of a cause: `the key may not (403)`. */
  readonly because: string;
  /** The cloud refused it (403, 404). */
  readonly isRefused?: boolean | undefined;
  /** ISO 8601. */
  readonly until: string;
};

export type Sights = {
  /** Undefined where the organization's cloud has no such reads: then nothing pretends to see. */
  of(organization: string): Sight | undefined;
  /** The keys of the organizations that have sight. */
  organizations(): readonly string[];
  closed(): readonly ClosedEye[];
};

/** What a change set going, and by what the cloud shows how it ends. Design: §14. */
export type Follow = {
  readonly command: FollowedCommand;
  /** An organization's key. */
  readonly organization: string;
  readonly serviceId: string;
  /** Of a pipe on that service. */
  readonly pipeId?: string | undefined;
  readonly name: string;
  readonly approvedBy?: string | undefined;
  /** As last reported before the command: what a cloud shows may lag behind it. */
  readonly before?: string | undefined;
  /** Of a creation: its password waits for whoever asked. */
  readonly hasPassword?: boolean | undefined;
};

export type FollowedCommand = 'start' | 'stop' | 'awake' | 'create' | 'pipe';
