import { DateTime } from 'luxon';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import {
  changeAt,
  moveThrough,
  SECONDS_TO_RUN,
  SECONDS_TO_STOP,
  type ServiceState,
  type StateChange,
} from './states.ts';

export const commandRequest = z.strictObject({ command: z.enum(['start', 'stop']) });

export type Command = z.output<typeof commandRequest>['command'];

type Effect = 'start' | 'stop' | 'nothing' | 'conflict';

/** What each command does in each state. Where practice is unverified, the quiet answer was chosen. */
const EFFECTS: Readonly<Record<ServiceState, Readonly<Record<Command, Effect>>>> = {
  running: { start: 'nothing', stop: 'stop' },
  partially_running: { start: 'nothing', stop: 'stop' },
  degraded: { start: 'nothing', stop: 'stop' },
  provisioning: { start: 'nothing', stop: 'stop' },
  starting: { start: 'nothing', stop: 'stop' },
  awaking: { start: 'nothing', stop: 'stop' },
  idle: { start: 'nothing', stop: 'stop' },
  stopped: { start: 'start', stop: 'nothing' },
  stopping: { start: 'conflict', stop: 'nothing' },
  terminating: { start: 'conflict', stop: 'conflict' },
  terminated: { start: 'conflict', stop: 'conflict' },
  failed: { start: 'conflict', stop: 'conflict' },
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
