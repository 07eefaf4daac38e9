import type { z } from 'zod';
import { personId } from '../../core/operation/fields.ts';
import type { Context } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { operationNamed } from '../../core/operation/registry.ts';
import {
  isProblem,
  resolveService,
  serviceTarget,
  type VisibilityPorts,
} from '../../core/operation/resolve.ts';
import type { Target } from '../../core/ports/decision.ts';
import type { JournalFilter } from '../../core/ports/journal.ts';
import { isUuid } from '../../core/text/typed-text.ts';
import { type input, momentOf } from './input.ts';

export type Plan = {
  readonly filter: Omit<JournalFilter, 'limit'>;
  readonly limit: number;
  readonly target: Target | undefined;
};

export async function planLog(
  typed: z.output<typeof input>,
  ports: VisibilityPorts & Pick<ReadPorts, 'clock'>,
  context: Context,
): Promise<Plan | Problem> {
  const target = await targetOf(typed, ports, context);
  if (target !== undefined && isProblem(target)) return target;
  const action = actionOf(typed.action, ports.catalogue);
  if (action !== undefined && isProblem(action)) return action;
  const now = ports.clock.now();
  const { since, until, who, limit } = typed;
  return {
    filter: {
      serviceId: target?.id,
      operation: action?.id,
      userId: personId(who),
      since: since === undefined ? undefined : momentOf(since, now, false),
      until: until === undefined ? undefined : momentOf(until, now, true),
    },
    limit,
    target,
  };
}

/** A service that is gone from the directory is still in the journal, under its id. */
async function targetOf(
  typed: z.output<typeof input>,
  ports: VisibilityPorts,
  context: Context,
): Promise<Target | Problem | undefined> {
  const { service } = typed;
  if (service === undefined || service === '') return undefined;
  const about = { raw: typed, field: 'service' };
  const entry = await resolveService(service, about, ports, context);
  if (!isProblem(entry)) return serviceTarget(entry);
  if (!isUuid(service)) return entry;
  const id = service.toLowerCase();
  return { kind: 'service', id, name: id, tags: [] };
}

function actionOf(
  typed: string | undefined,
  catalogue: ReadPorts['catalogue'],
): { readonly id: string } | Problem | undefined {
  if (typed === undefined || typed === '') return undefined;
  const glob = typed.toLowerCase();
  if (/^[a-z*-]+\.[a-z*-]+$/u.test(glob) && glob.includes('*')) return { id: glob };
  return operationNamed(typed, catalogue, {
    field: 'action',
    as: 'action',
    suggest: (near) => ({ label: `Use ${near}`, input: { action: near } }),
  });
}
