/**
 * What the control API says and takes, in the specification's own words.
 * Records are lenient: every field may be missing, enum values stay text. Requests are exact: an
 * absent key is a key that is not sent. Spec: Resources and their fields.
 */

export type IpAccessListEntry = { readonly source: string; readonly description?: string };

export type ServiceEndpoint = {
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly username?: string;
};

export type ServiceRecord = {
  readonly id?: string;
  readonly name?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly tier?: string;
  readonly state?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly engineVersion?: string;
  readonly profile?: string;
  readonly complianceType?: string;
  readonly releaseChannel?: string;
  readonly numReplicas?: number;
  readonly minReplicaMemoryGb?: number;
  readonly maxReplicaMemoryGb?: number;
  readonly minTotalMemoryGb?: number;
  readonly maxTotalMemoryGb?: number;
  readonly idleScaling?: boolean;
  readonly idleTimeoutMinutes?: number;
  readonly ipAccessList?: readonly IpAccessListEntry[];
  readonly endpoints?: readonly ServiceEndpoint[];
  readonly privateEndpointIds?: readonly string[];
  readonly availablePrivateEndpointIds?: readonly string[];
  readonly byocId?: string;
  readonly dataWarehouseId?: string;
  readonly isPrimary?: boolean;
  readonly isReadonly?: boolean;
  readonly hasTransparentDataEncryption?: boolean;
  readonly encryptionRoleId?: string;
  readonly transparentDataEncryptionKeyId?: string;
  /** Never shown: it is left out when a record is read. */
  readonly encryptionAssumedRoleIdentifier?: string;
  readonly iamRole?: string;
};

export type CreateServiceRequest = {
  readonly name?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly tier?: string;
  readonly profile?: string;
  readonly complianceType?: string;
  readonly releaseChannel?: string;
  readonly numReplicas?: number;
  readonly minReplicaMemoryGb?: number;
  readonly maxReplicaMemoryGb?: number;
  readonly minTotalMemoryGb?: number;
  readonly maxTotalMemoryGb?: number;
  readonly idleScaling?: boolean;
  readonly idleTimeoutMinutes?: number;
  readonly ipAccessList?: readonly IpAccessListEntry[];
  readonly endpoints?: readonly { readonly protocol: 'mysql'; readonly enabled: boolean }[];
  readonly privateEndpointIds?: readonly string[];
  readonly byocId?: string;
  readonly dataWarehouseId?: string;
  readonly isReadonly?: boolean;
  readonly backupId?: string;
  readonly hasTransparentDataEncryption?: boolean;
  readonly encryptionKey?: string;
  readonly encryptionAssumedRoleIdentifier?: string;
  readonly privatePreviewTermsChecked?: boolean;
};

/** `password` stands in this one reply and nowhere else. */
export type CreatedService = { readonly service: ServiceRecord; readonly password?: string };

export type StateCommand = 'start' | 'stop';

export type InvitationRecord = {
  readonly id?: string;
  readonly email?: string;
  readonly role?: string;
  /** Names of assigned roles, where the organization has custom roles. */
  readonly assignedRoles?: readonly string[];
  readonly createdAt?: string;
  readonly expireAt?: string;
};

export type QueryEndpointRecord = {
  readonly id?: string;
  readonly allowedOrigins?: string;
  readonly openApiKeys?: readonly string[];
  readonly roles?: readonly string[];
};

export type ActivityRecord = {
  readonly id?: string;
  readonly createdAt?: string;
  readonly type?: string;
  readonly actorType?: string;
  readonly actorId?: string;
  readonly actorDetails?: string;
  readonly actorIpAddress?: string;
  readonly organizationId?: string;
  readonly serviceId?: string;
  readonly userAgent?: string;
};

export type CostRecord = {
  /** YYYY-MM-DD, a UTC day. */
  readonly date: string;
  readonly entityId: string;
  readonly entityName?: string;
  readonly entityType?: string;
  readonly dataWarehouseId?: string;
  readonly serviceId?: string;
  readonly locked: boolean;
  /** Cost units. */
  readonly totalUnits: number;
  /** Cost units by metric, unknown metrics included under their own names. */
  readonly metrics: Readonly<Record<string, number>>;
};

export type UsageCost = {
  readonly costs: readonly CostRecord[];
  /** As the API reported it; absent where it did not. */
  readonly grandTotalUnits?: number;
  /** Records that could not be read: counted, never guessed. */
  readonly skipped: number;
};

/** Both ends inclusive, YYYY-MM-DD in UTC, at most 31 days. */
export type CostRange = { readonly from: string; readonly to: string };
