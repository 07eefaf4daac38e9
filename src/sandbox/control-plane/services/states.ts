import { DateTime } from 'luxon';

const SERVICE_STATES = [
  'starting',
  'stopping',
  'terminating',
  'awaking',
  'partially_running',
  'provisioning',
  'running',
  'stopped',
  'terminated',
  'degraded',
  'failed',
  'idle',
] as const;

export type ServiceState = (typeof SERVICE_STATES)[number];

export type StateChange = {
  /** ISO moment from which the state holds. */
  readonly at: string;
  readonly state: ServiceState;
};

/** Seconds from a transient state to the one it leads to. */
export const SECONDS_TO_RUN = 20;
export const SECONDS_TO_STOP = 15;
export const SECONDS_TO_AWAKE = 30;
export const SECONDS_TO_TERMINATE = 60;
export const SECONDS_TO_PROVISION = 150;
export const SECONDS_TO_RESTORE = 25 * 60;

/** The state that holds at this moment: the latest change that is not in the future. */
export function stateAt(history: readonly StateChange[], now: DateTime): ServiceState {
  return changeAt(history, now)?.state ?? 'provisioning';
}

/** The change that led to the state of this moment. */
export function changeAt(history: readonly StateChange[], now: DateTime): StateChange | undefined {
  return history.findLast((change) => DateTime.fromISO(change.at) <= now);
}

/**
 * The history after a move through a transient state. What was planned for the future is dropped:
 * a stop that arrives while a service starts replaces the coming `running`.
 */
export function moveThrough(
  history: readonly StateChange[],
  now: DateTime,
  move: { readonly via: ServiceState; readonly to: ServiceState; readonly seconds: number },
): readonly StateChange[] {
  return [
    ...history.filter((change) => DateTime.fromISO(change.at) <= now),
    { at: isoOf(now), state: move.via },
    { at: isoOf(now.plus({ seconds: move.seconds })), state: move.to },
  ];
}

/** States in which a service computes, and so costs compute units. */
const COMPUTING: ReadonlySet<ServiceState> = new Set([
  'running',
  'partially_running',
  'degraded',
  'starting',
  'awaking',
]);

/** A stretch of computing in epoch milliseconds; the last one may be open. */
export type Span = { readonly from: number; readonly to: number };

/** The stretches in which a service computed, past and planned. */
export function computingSpans(history: readonly StateChange[]): readonly Span[] {
  const changes = history.map(({ at, state }) => ({ at: DateTime.fromISO(at).toMillis(), state }));
  return changes.flatMap((change, index) =>
    COMPUTING.has(change.state)
      ? [{ from: change.at, to: changes[index + 1]?.at ?? Number.POSITIVE_INFINITY }]
      : [],
  );
}

/** Hours of the spans that lie between two moments in epoch milliseconds. */
export function hoursWithin(spans: readonly Span[], from: number, to: number): number {
  const overlaps = spans.map((span) => Math.min(span.to, to) - Math.max(span.from, from));
  return overlaps.reduce((sum, overlap) => sum + Math.max(0, overlap), 0) / 3_600_000;
}

/** The moment in UTC as the API writes it, with milliseconds and `Z`. */
export function isoOf(moment: DateTime): string {
  return moment.toUTC().toISO() ?? '';
}
