import type { CreateServiceRequest } from '../services/create-request.ts';
import type { StateChange } from '../services/states.ts';

/** An API key of the control API; all values are fake. */
export type ApiKey = {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly organizationId: string;
  /** A developer key may read neither costs nor activities. */
  readonly role: 'admin' | 'developer';
};

/** A key of the observability API. */
export type BearerToken = { readonly token: string; readonly name: string };

export type Organization = {
  readonly id: string;
  readonly name: string;
  /** ISO moment. */
  readonly createdAt: string;
};

export type Warehouse = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly storagePerDay: number;
  readonly backupPerDay: number;
  /** ISO moment; costs begin on this day. */
  readonly createdAt: string;
};

export type Service = {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: string;
  readonly engineVersion: string;
  readonly isPrimary: boolean;
  readonly dataWarehouseId: string;
  /** The fields as they were asked for, with the defaults filled in. */
  readonly fields: CreateServiceRequest;
  /** Every change of state, planned ones included; the last one that is not in the future counts. */
  history: readonly StateChange[];
  /** Cost units of a full day of running. */
  readonly unitsPerDay: number;
  /** From this ISO day on the daily cost is multiplied: the mover of a summary. */
  readonly surge?: { readonly from: string; readonly factor: number };
};

export type Pipe = {
  readonly id: string;
  readonly organizationId: string;
  readonly serviceId: string;
  readonly name: string;
  readonly kind: 'kafka' | 'kinesis' | 'objectStorage' | 'postgres';
  readonly createdAt: string;
  readonly unitsPerDay: number;
  /** The record as it was returned; absent for pipes that the seed only bills. */
  readonly record?: Readonly<Record<string, unknown>>;
};

export type Invitation = {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: string;
  /** Ids of roles, where they were given. */
  readonly assignedRoleIds?: readonly string[] | undefined;
  readonly createdAt: string;
  readonly expireAt: string;
};

/** Inapplicable keys are absent. */
export type Activity = {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: string;
  readonly type: string;
  readonly actorType: 'user' | 'support' | 'system' | 'api';
  readonly actorId?: string | undefined;
  readonly actorDetails?: string | undefined;
  readonly actorIpAddress?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly targetKeyId?: string | undefined;
};

export type QueryEndpoint = {
  readonly id: string;
  readonly serviceId: string;
  readonly allowedOrigins: string;
  readonly openApiKeys: readonly string[];
  readonly roles: readonly string[];
};

export type Backup = {
  readonly id: string;
  readonly organizationId: string;
  readonly serviceId: string;
  readonly region: string;
  readonly tier: string;
  /** ISO moment. */
  readonly startedAt: string;
  readonly minutes: number;
  readonly sizeInBytes: number;
};

/** A dashboard of the cloud itself, on a service; the observability API has others. */
export type CloudDashboard = {
  readonly id: string;
  readonly organizationId: string;
  readonly serviceId: string;
  readonly name: string;
  readonly tags: readonly string[];
};

/** What members and invited people may do, by name. */
export type Role = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly type: 'system' | 'custom';
  /** ISO moment. */
  readonly createdAt: string;
};

/** What a stand-in starts from and returns to on reset. */
export type Seed = {
  readonly organizations: readonly Organization[];
  readonly warehouses: readonly Warehouse[];
  readonly services: readonly Service[];
  readonly pipes: readonly Pipe[];
  readonly invitations: readonly Invitation[];
  readonly activities: readonly Activity[];
  readonly dashboards: readonly string[];
  readonly queryEndpoints: readonly QueryEndpoint[];
  readonly backups: readonly Backup[];
  readonly cloudDashboards: readonly CloudDashboard[];
  readonly roles: readonly Role[];
  /** First ISO day with costs. */
  readonly costsFrom: string;
};
