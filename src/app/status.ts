import manifest from '../../package.json' with { type: 'json' };
import { AppError } from '../core/cloud/errors.ts';
import type { Status } from '../core/operation/ports.ts';
import type { CallOptions, Clock, ControlApi } from '../core/ports/ports.ts';
import type { Stores } from './stores.ts';

type ControlHealth = ReturnType<Status['control']>;

/** Faults that are an answer all the same: what was asked for did not fit or was not there. */
const ANSWERS: ReadonlySet<string> = new Set([
  'invalid',
  'not-found',
  'conflict',
  'not-configured',
]);

/** Remembers when the control API last answered and last failed, in this process. */
export type WatchedControl = { readonly control: ControlApi; health(): ControlHealth };

export function watchControl(api: ControlApi, clock: Clock): WatchedControl {
  let health: ControlHealth = {};
  const watch = async <T>(call: Promise<T>): Promise<T> => {
    try {
      const reply = await call;
      health = { ...health, answeredAt: clock.now().toISO() };
      return reply;
    } catch (error) {
      const at = clock.now().toISO();
      const failure = error instanceof AppError ? error.code : 'internal';
      health = ANSWERS.has(failure)
        ? { ...health, answeredAt: at }
        : { ...health, failedAt: at, failure };
      throw error;
    }
  };
  // Every member but one is a call that resolves or rejects; a new one is watched like the others.
  const watched = (client: ControlApi): ControlApi =>
    new Proxy(client, {
      get: (target, name) => {
        if (name === 'during') return (call: CallOptions) => watched(target.during(call));
        const call: unknown = Reflect.get(target, name);
        if (typeof call !== 'function') return call;
        return (...args: readonly unknown[]) => watch(Reflect.apply(call, target, args));
      },
    });
  return { health: () => health, control: watched(api) };
}

/** What `/db status` may say of this process. */
export function createStatus(
  stores: Stores,
  clock: Clock,
  parts: Pick<Status, 'control' | 'audit' | 'connections' | 'troubles' | 'botIn' | 'closedEyes'>,
): Status {
  const startedAt = clock.now().toISO();
  const { ledger, subscriptions } = stores;
  return {
    version: manifest.version,
    startedAt,
    ...parts,
    database: async () => ((await stores.problems()).length === 0 ? 'answers' : 'does not answer'),
    others: async () => (await stores.instance.others()).length,
    summary: async (scope) => {
      const [posted] = await ledger.recent(scope, 1);
      const { paused } = await subscriptions.get(scope.channel);
      const from = clock.now().minus({ days: 14 }).toFormat('yyyy-MM-dd');
      const missed = (await ledger.missed(scope, from)).map(({ day }) => day);
      return { day: posted?.day, state: posted?.state, missed, paused };
    },
  };
}
