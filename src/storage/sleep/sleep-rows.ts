import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Night, SleepRun } from '../../core/ports/sleep.ts';
import type { SleepNightRow, SleepRunRow } from '../database/schema.ts';
import { readStored } from '../values.ts';

/** Nights and runs as their rows tell them. Each throws AppError `storage` for a damaged row. */

const text = z.array(
  z.union([
    z.string(),
    z.object({ bold: z.string() }),
    z.object({ code: z.string() }),
    z.object({ user: z.string() }),
    z.object({ channel: z.string() }),
    z.object({ time: z.string(), style: z.enum(['time', 'date', 'date-time']) }),
  ]),
);
const moment = z.string();
const actor = z.object({ userId: z.string(), teamId: z.string(), via: z.string().optional() });
const plan = z.object({
  channel: z.string(),
  services: z.array(z.object({ id: z.string(), name: z.string(), organization: z.string() })),
  stopAt: moment,
  startAt: moment.optional(),
  endsAt: moment,
  startEndsAt: moment.optional(),
  since: moment,
  snoozed: z.array(
    z.object({
      choice: z.enum(['skip', 'hour', 'keep']),
      by: z.string(),
      at: moment,
      keep: z.array(z.string()),
    }),
  ),
  owner: actor.optional(),
  expects: z.record(z.string(), z.number()).optional(),
  because: z.string().optional(),
});

export function nightFrom(row: Selectable<SleepNightRow>): Night {
  return {
    schedule: row.schedule,
    at: row.at,
    state: row.state,
    version: row.version,
    begunAt: row.begun_at ?? undefined,
    plan: readStored(plan, row.plan),
    message: {
      state: row.message_state,
      ts: row.message_ts ?? undefined,
      at: row.message_at ?? undefined,
      shown: row.message_shown ?? undefined,
    },
  };
}

export function runOf(row: Selectable<SleepRunRow>): SleepRun {
  return {
    schedule: row.schedule,
    at: row.at,
    act: row.act,
    service: row.service,
    state: row.state,
    claimedBy: row.owner ?? undefined,
    attempts: row.attempts,
    movedAt: row.moved_at,
    reason: readStored(text, row.reason),
    journal: row.journal ?? undefined,
    nextAt: row.next_at ?? undefined,
  };
}
