import { z } from 'zod';

/** By its name or its id. */
const service = z.string().min(1);
const by = z
  .strictObject({ name: z.string().min(1), ipAddress: z.ipv4() })
  .default({ name: 'frank@acme.example', ipAddress: '198.51.100.44' });

const act = <N extends string, S extends z.ZodRawShape>(name: N, fields: S) =>
  z.strictObject({ act: z.literal(name), ...fields, by });

/** What somebody does in the cloud's console, past every bot. Each changes the world and is recorded. */
export const consoleAct = z.discriminatedUnion('act', [
  act('start', { service }),
  act('stop', { service }),
  act('wake', { service }),
  /** Nobody has queried it for its idle timeout; the cloud does this itself. */
  act('idle', { service }),
  act('fail', { service, state: z.enum(['degraded', 'failed', 'partially_running']) }),
  act('rename', { service, name: z.string().min(1).max(50) }),
  act('ip-access-list', { service, sources: z.array(z.string().min(1)).min(1) }),
  act('delete', { service }),
  act('member-joined', { email: z.email() }),
  act('member-removed', { email: z.email() }),
  act('key-created', { name: z.string().min(1) }),
  /** The key's id; it stops working. */
  act('key-deleted', { key: z.string().min(1) }),
  act('backup-deleted', { backup: z.uuid() }),
  act('invitation-deleted', { email: z.email() }),
  /** So many records at once, spread over the last minutes before now, with no effect. */
  act('many', { count: z.int().min(1).max(10_000), minutes: z.number().min(0).default(60) }),
  /** So many new services that run already, named `<prefix> 1` and on. */
  act('services', { count: z.int().min(1).max(1_000), prefix: z.string().default('fleet') }),
]);

export type ConsoleRequest = z.input<typeof consoleAct>;
export type ConsoleAct = z.output<typeof consoleAct>;
