import { z } from 'zod';
import type { DigestRequest } from '../../core/ports/digests.ts';
import { snapshotSchema } from './snapshot.ts';

/**
 * What the ledger keeps of a message: its numbers, and what it was written of, so that an update
 * months of settings later still speaks of the same scope.
 */
const schema = z.object({
  state: z.enum(['no-data', 'provisional', 'final']),
  numbers: snapshotSchema,
  digest: z.object({
    services: z.array(z.string()),
    budgetPerDay: z.number().optional(),
    anomalyFloor: z.number().optional(),
  }),
  lateMs: z.number().optional(),
  since: z.string().optional(),
});

export type DigestSnapshot = z.output<typeof schema>;

/** Undefined for what this version does not understand. */
export function readSnapshot(stored: unknown): DigestSnapshot | undefined {
  const read = schema.safeParse(stored);
  return read.success ? read.data : undefined;
}

/** The request of an update, with the scope, the lateness and the "since" of the message itself. */
export function asPosted(request: DigestRequest): DigestRequest {
  const before = readSnapshot(request.before);
  if (before === undefined) return request;
  const { digest, lateMs = request.lateMs, since = request.since } = before;
  return { ...request, digest, lateMs, since };
}
