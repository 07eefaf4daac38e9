import { AppError } from './core/errors.ts';
import type { Status } from './core/operation-ports.ts';
import type { Clock, ControlApi } from './core/ports.ts';
import type { Stores } from './stores.ts';
import { VERSION } from './version.ts';

type ControlHealth = ReturnType<Status['control']>;

/** Remembers when the control API last answered and last failed, in this process. Lessons: H2. */
export type WatchedControl = { readonly control: ControlApi; health(): ControlHealth };

export function watchControl(api: ControlApi, clock: Clock): WatchedControl {
  let health: ControlHealth = {};
  const watch = async <T>(call: Promise<T>): Promise<T> => {
    try {
      const reply = await call;
      health = { ...health, answeredAt: clock.now().toISO() ?? '' };
      return reply;
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal';
      health = { ...health, failedAt: clock.now().toISO() ?? '', failure: code };
      throw error;
    }
  };
  return {
    health: () => health,
    control: {
      invitation: (...args) => watch(api.invitation(...args)),
      queryEndpoint: (...args) => watch(api.queryEndpoint(...args)),
      activity: (...args) => watch(api.activity(...args)),
      usageCost: (...args) => watch(api.usageCost(...args)),
      createService: (...args) => watch(api.createService(...args)),
      setServiceState: (...args) => watch(api.setServiceState(...args)),
      createInvitation: (...args) => watch(api.createInvitation(...args)),
      createPipe: (...args) => watch(api.createPipe(...args)),
      deleteDashboard: (...args) => watch(api.deleteDashboard(...args)),
    },
  };
}

/** What `/db status` may say of this process. */
export function createStatus(
  stores: Stores,
  clock: Clock,
  parts: { readonly control: Status['control']; readonly connections: () => number },
): Status {
  const startedAt = clock.now().toISO() ?? '';
  return {
    version: VERSION,
    startedAt,
    control: parts.control,
    connections: parts.connections,
    database: async () => ((await stores.problems()).length === 0 ? 'answers' : 'does not answer'),
    others: async () => (await stores.instance.others()).length,
  };
}
