/**
 * What the control API says and takes, in the specification's own words.
 * Records are lenient: every field may be missing, enum values stay text. Requests are exact: an
 * absent key is a key that is not sent. Spec: Endpoints. Facts: Drift.
 */

export type IpAccessListEntry = {
  readonly source: string;
  readonly description?: string | undefined;
};

export type ServiceEndpoint = {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
  readonly username?: string | undefined;
};

export type ServiceRecord = {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly region?: string | undefined;
  readonly tier?: string | undefined;
  readonly state?: string | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly engineVersion?: string | undefined;
  readonly profile?: string | undefined;
  readonly complianceType?: string | undefined;
  readonly releaseChannel?: string | undefined;
  readonly numReplicas?: number | undefined;
  readonly minReplicaMemoryGb?: number | undefined;
  readonly maxReplicaMemoryGb?: number | undefined;
  readonly minTotalMemoryGb?: number | undefined;
  readonly maxTotalMemoryGb?: number | undefined;
  readonly idleScaling?: boolean | undefined;
  readonly idleTimeoutMinutes?: number | undefined;
  readonly ipAccessList?: readonly IpAccessListEntry[] | undefined;
  readonly endpoints?: readonly ServiceEndpoint[] | undefined;
  readonly privateEndpointIds?: readonly string[] | undefined;
  readonly availablePrivateEndpointIds?: readonly string[] | undefined;
  readonly byocId?: string | undefined;
  readonly dataWarehouseId?: string | undefined;
  readonly isPrimary?: boolean | undefined;
  readonly isReadonly?: boolean | undefined;
  readonly hasTransparentDataEncryption?: boolean | undefined;
  readonly encryptionRoleId?: string | undefined;
  readonly transparentDataEncryptionKeyId?: string | undefined;
  /** Never shown: it is left out when a record is read. */
  readonly encryptionAssumedRoleIdentifier?: string | undefined;
  readonly iamRole?: string | undefined;
};

export type CreateServiceRequest = {
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly region?: string | undefined;
  readonly tier?: string | undefined;
  readonly profile?: string | undefined;
  readonly complianceType?: string | undefined;
  readonly releaseChannel?: string | undefined;
  readonly numReplicas?: number | undefined;
  readonly minReplicaMemoryGb?: number | undefined;
  readonly maxReplicaMemoryGb?: number | undefined;
  readonly minTotalMemoryGb?: number | undefined;
  readonly maxTotalMemoryGb?: number | undefined;
  readonly idleScaling?: boolean | undefined;
  readonly idleTimeoutMinutes?: number | undefined;
  readonly ipAccessList?: readonly IpAccessListEntry[] | undefined;
  readonly endpoints?: readonly { readonly protocol: 'mysql'; readonly enabled: boolean }[];
  readonly privateEndpointIds?: readonly string[] | undefined;
  readonly byocId?: string | undefined;
  readonly dataWarehouseId?: string | undefined;
  readonly isReadonly?: boolean | undefined;
  readonly backupId?: string | undefined;
  readonly hasTransparentDataEncryption?: boolean | undefined;
  readonly encryptionKey?: string | undefined;
  readonly encryptionAssumedRoleIdentifier?: string | undefined;
  readonly privatePreviewTermsChecked?: boolean | undefined;
};

/** `password` stands in this one reply and nowhere else. */
export type CreatedService = {
  readonly service: ServiceRecord;
  readonly password?: string | undefined;
};

export type StateCommand = 'start' | 'stop';

export type InvitationRecord = {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
  readonly role?: string | undefined;
  /** Names of assigned roles, where the organization has custom roles. */
  readonly assignedRoles?: readonly string[] | undefined;
  readonly createdAt?: string | undefined;
  readonly expireAt?: string | undefined;
};

export type QueryEndpointRecord = {
  readonly id?: string | undefined;
  readonly allowedOrigins?: string | undefined;
  readonly openApiKeys?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
};

export type ActivityRecord = {
  readonly id?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly type?: string | undefined;
  readonly actorType?: string | undefined;
  readonly actorId?: string | undefined;
  readonly actorDetails?: string | undefined;
  readonly actorIpAddress?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly userAgent?: string | undefined;
};

export type CostRecord = {
  /** YYYY-MM-DD, a UTC day. */
  readonly date: string;
  readonly entityId: string;
  readonly entityName?: string | undefined;
  readonly entityType?: string | undefined;
  readonly dataWarehouseId?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly locked: boolean;
  /** Cost units. */
  readonly totalUnits: number;
  /** Cost units by metric, unknown metrics included under their own names. */
  readonly metrics: Readonly<Record<string, number>>;
};

export type UsageCost = {
  readonly costs: readonly CostRecord[];
  /** As the API reported it; absent where it did not. */
  readonly grandTotalUnits?: number | undefined;
  /** Records that could not be read: counted, never guessed. */
  readonly skipped: number;
};

/** Both ends inclusive, YYYY-MM-DD in UTC, at most 31 days. */
export type CostRange = { readonly from: string; readonly to: string };
