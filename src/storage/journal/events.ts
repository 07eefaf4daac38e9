import { z } from 'zod';
import type { JournalEventRow } from '../schema.ts';
import { readStored } from '../stored-json.ts';

const target = z.object({
  kind: z.enum(['service', 'organization', 'dashboard', 'activity', 'invitation']),
  id: z.string(),
  name: z.string(),
  organization: z.string().exactOptional(),
});

const openedBody = z.object({
  reference: z.string(),
  operation: z.string(),
  actor: z.object({ userId: z.string(), teamId: z.string() }),
  channelId: z.string().exactOptional(),
  input: z.record(z.string(), z.unknown()),
  origin: z.string(),
  parent: z.number().exactOptional(),
  instance: z.string(),
});

const startedBody = z.object({
  decision: z.string().exactOptional(),
  detail: z.string().exactOptional(),
  requestId: z.string().exactOptional(),
  targets: z.array(target).exactOptional(),
  planHash: z.string().exactOptional(),
  approvedBy: z.string().exactOptional(),
});

const closedBody = startedBody.extend({
  outcome: z.enum([
    'done',
    'denied',
    'invalid',
    'form',
    'confirm',
    'approval',
    'already',
    'failed',
    'unknown',
  ]),
});

export type OpenedBody = z.output<typeof openedBody>;
export type StartedBody = z.output<typeof startedBody>;
export type ClosedBody = z.output<typeof closedBody>;

export function readOpened(row: Pick<JournalEventRow, 'body'>): OpenedBody {
  return readStored(openedBody, row.body);
}

export function readStarted(row: Pick<JournalEventRow, 'body'>): StartedBody {
  return readStored(startedBody, row.body);
}

export function readClosed(row: Pick<JournalEventRow, 'body'>): ClosedBody {
  return readStored(closedBody, row.body);
}
