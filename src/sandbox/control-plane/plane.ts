import type { CostPlan } from './billing/scenario.ts';
import type { ConsoleRequest } from './console/acts.ts';
import type { Faults } from './faults.ts';
import type { LoggedRequest } from './http/request-log.ts';
import type { Clock, SettableClock } from './settable-clock.ts';
import type { Settings, SettingsChange } from './settings.ts';
import type { ApiKey, BearerToken, Seed } from './state/model.ts';
import type { StateDump } from './state/world.ts';

export type ControlPlaneOptions = {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** A frozen settable clock unless given. */
  readonly clock?: Clock;
  /** Called at the start and at each reset; the Acme organization unless given. */
  readonly seed?: (clock: Clock) => Seed;
  readonly keys?: readonly ApiKey[];
  readonly tokens?: readonly BearerToken[];
  /** Laid over the defaults, also after a reset. */
  readonly settings?: SettingsChange;
};

/** What can be done to a stand-in, in the process or over `/sandbox`. */
export type ControlPlaneParts = {
  readonly clock: Clock;
  readonly faults: Faults;
  /** Throws when the clock that was handed in cannot be set. */
  settableClock(): SettableClock;
  settings(): Settings;
  changeSettings(change: SettingsChange): Settings;
  planCosts(plan: CostPlan): void;
  /** Lets somebody act in the console of Acme; gives the ids of the activities that tell of it. */
  console(act: ConsoleRequest): readonly string[];
  /** Every API request since the start or the last reset, oldest first. */
  requests(): readonly LoggedRequest[];
  state(): StateDump;
  /** Back to the seed: state, settings, faults, costs, limits and the request log; the clock goes on. */
  reset(): void;
};

export type ControlPlane = ControlPlaneParts & {
  /** `http://127.0.0.1:<port>`; the base URL of both APIs. */
  readonly url: string;
  close(): Promise<void>;
};
