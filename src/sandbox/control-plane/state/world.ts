import type { DateTime } from 'luxon';
import { CostScenario } from '../billing/scenario.ts';
import { type ServiceRecord, toServiceRecord } from '../services/record.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type {
  Activity,
  Backup,
  CloudDashboard,
  Invitation,
  Organization,
  Pipe,
  QueryEndpoint,
  Role,
  Seed,
  Service,
  Warehouse,
} from './model.ts';

/** All that the stand-in knows; it lives in memory and is rebuilt on reset. */
export class World {
  readonly organizations: Map<string, Organization>;
  readonly warehouses: Map<string, Warehouse>;
  readonly services: Map<string, Service>;
  readonly pipes: Map<string, Pipe>;
  readonly invitations: Map<string, Invitation>;
  readonly activities: Map<string, Activity>;
  readonly dashboards: Set<string>;
  readonly queryEndpoints: Map<string, QueryEndpoint>;
  readonly backups: Map<string, Backup>;
  readonly cloudDashboards: Map<string, CloudDashboard>;
  readonly roles: Map<string, Role>;
  /** Ids of keys that somebody deleted in the console. */
  readonly deletedKeys = new Set<string>();
  readonly costs: CostScenario;
  settings: Settings;

  constructor(seed: Seed, settings: Settings = DEFAULT_SETTINGS) {
    this.organizations = byId(seed.organizations);
    this.warehouses = byId(seed.warehouses);
    this.services = new Map(seed.services.map((service) => [service.id, { ...service }]));
    this.pipes = byId(seed.pipes);
    this.invitations = byId(seed.invitations);
    this.activities = byId(seed.activities);
    this.dashboards = new Set(seed.dashboards);
    this.queryEndpoints = new Map(seed.queryEndpoints.map((entry) => [entry.serviceId, entry]));
    this.backups = byId(seed.backups);
    this.cloudDashboards = byId(seed.cloudDashboards);
    this.roles = byId(seed.roles);
    this.costs = new CostScenario(seed.costsFrom);
    this.settings = settings;
  }
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

export type StateDump = {
  /** ISO moment by the clock of the stand-in. */
  readonly now: string;
  readonly settings: Settings;
  readonly organizations: readonly Organization[];
  /** Service records as the API would return them now, in neutral names. */
  readonly services: readonly ServiceRecord[];
  readonly pipes: readonly Pipe[];
  readonly invitations: readonly Invitation[];
  readonly activities: readonly Activity[];
  readonly dashboards: readonly string[];
  readonly queryEndpoints: readonly QueryEndpoint[];
};

/** Everything as plain values, for a test or a person to look at. */
export function dumpWorld(world: World, now: DateTime<true>): StateDump {
  return {
    now: now.toISO(),
    settings: world.settings,
    organizations: [...world.organizations.values()],
    services: [...world.services.values()].map((service) => toServiceRecord(service, now)),
    pipes: [...world.pipes.values()],
    invitations: [...world.invitations.values()],
    activities: [...world.activities.values()],
    dashboards: [...world.dashboards],
    queryEndpoints: [...world.queryEndpoints.values()],
  };
}
