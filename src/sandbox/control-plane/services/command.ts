import { DateTime } from 'luxon';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import {
  changeAt,
  moveThrough,
  SECONDS_TO_AWAKE,
  SECONDS_TO_RUN,
  SECONDS_TO_STOP,
  type ServiceState,
  type StateChange,
} from './states.ts';

export const commandRequest = z.strictObject({ command: z.enum(['start', 'stop']) });

/** ClickHouse Cloud takes a third one. */
export const cloudCommandRequest = z.strictObject({ command: z.enum(['start', 'stop', 'awake']) });

export type Command = z.output<typeof cloudCommandRequest>['command'];

type Effect = Command | 'nothing' | 'conflict';

/** What each command does in each state. Where practice is unverified, the quiet answer was chosen. */
const EFFECTS: Readonly<Record<ServiceState, Readonly<Record<Command, Effect>>>> = {
  running: { start: 'nothing', stop: 'stop', awake: 'nothing' },
  partially_running: { start: 'nothing', stop: 'stop', awake: 'nothing' },
  degraded: { start: 'nothing', stop: 'stop', awake: 'nothing' },
  provisioning: { start: 'nothing', stop: 'stop', awake: 'nothing' },
  starting: { start: 'nothing', stop: 'stop', awake: 'nothing' },
  awaking: { start: 'nothing', stop: 'stop', awake: 'nothing' },
  idle: { start: 'nothing', stop: 'stop', awake: 'awake' },
  stopped: { start: 'start', stop: 'nothing', awake: 'nothing' },
  stopping: { start: 'conflict', stop: 'nothing', awake: 'nothing' },
  terminating: { start: 'conflict', stop: 'conflict', awake: 'conflict' },
  terminated: { start: 'conflict', stop: 'conflict', awake: 'conflict' },
  failed: { start: 'conflict', stop: 'conflict', awake: 'conflict' },
};

export type CommandContext = {
  readonly now: DateTime;
  readonly hasSecondaries: boolean;
  readonly conflictAfterStopSeconds: number;
};

/**
 * The history after a command, or undefined when it changes nothing. Throws a 400 `Refusal` for the
 * stop of a primary with secondaries and a 409 where the state does not allow the command.
 * Spec: States and transitions
 */
export function applyCommand(
  history: readonly StateChange[],
  command: Command,
  context: CommandContext,
): readonly StateChange[] | undefined {
  const current = changeAt(history, context.now);
  const state = current?.state ?? 'provisioning';
  switch (EFFECTS[state][command]) {
    case 'nothing':
      return undefined;
    case 'conflict':
      throw new Refusal('CONFLICT', `the service is ${state}, ${command} is not possible now`);
    case 'stop':
      if (context.hasSecondaries) {
        throw new Refusal(
          'BAD_REQUEST',
          'command: the primary service of a warehouse cannot be stopped while it has secondary services',
        );
      }
      return moveThrough(history, context.now, {
        via: 'stopping',
        to: 'stopped',
        seconds: SECONDS_TO_STOP,
      });
    case 'awake':
      return moveThrough(history, context.now, {
        via: 'awaking',
        to: 'running',
        seconds: SECONDS_TO_AWAKE,
      });
    case 'start':
      requireSettled(current, context);
      return moveThrough(history, context.now, {
        via: 'starting',
        to: 'running',
        seconds: SECONDS_TO_RUN,
      });
  }
}

/** Reported from practice: for minutes after `stopped` shows, a start may still conflict. */
function requireSettled(current: StateChange | undefined, context: CommandContext): void {
  if (current === undefined || context.conflictAfterStopSeconds === 0) return;
  const free = DateTime.fromISO(current.at).plus({ seconds: context.conflictAfterStopSeconds });
  if (context.now < free) {
    throw new Refusal('CONFLICT', 'the service has just stopped, start is not possible yet');
  }
}
