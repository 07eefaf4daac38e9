import type { ServiceRecord } from '../../core/cloud/service.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import { forEachCloud } from '../../core/operation/registry.ts';
import { organizationTarget, typedName } from '../../core/operation/resolve.ts';
import type { Attributes } from '../../core/ports/decision.ts';
import type { Reply } from '../../core/ports/ports.ts';
import { bold, say } from '../../core/text/text.ts';
import { type Created, createdCard, type PasswordFate, passwordCard } from './cards.ts';
import { anyServiceInput, clickhouseServiceInput } from './clickhouse-input.ts';
import { serviceInput } from './input.ts';
import { type Plan, planCreate, resolveSecrets } from './plan.ts';
import { prefill } from './prefill.ts';
import { previewOf } from './words.ts';

const INPUT = {
  neutral: serviceInput,
  clickhouse: clickhouseServiceInput,
  both: anyServiceInput,
} as const;

/** `/db create [name]`: every field of the request. Spec: Endpoints 1; Service. */
export const serviceCreate = forEachCloud((names) =>
  defineOperation({
    id: 'service.create',
    summary: 'Create a service',
    title: 'Create a service',
    risk: 'spend',
    confirm: 'form',
    slash: {
      words: ['create'],
      positional: ['name'],
      examples: [
        'create nightly --provider aws --region us-east-1 --ip-access-list "203.0.113.0/24 office"',
      ],
    },
    input: INPUT[names],
    prefill,
    refused: (raw) => say`${typedName(raw, 'name', 'The service')} was not created`,
    plan: planCreate,
    targets: ({ organization }) => [organizationTarget(organization)],
    attributes,
    limited: {
      provider: 'provider',
      region: 'region',
      replicas: 'numReplicas',
      memoryGb: 'maxReplicaMemoryGb',
    },
    makes: ({ name }) => name,
    binds: ({ organization, request, secrets }) => ({ organization, request, secrets }),
    preview: previewOf,
    doubles: ({ doubles }) => doubles,
    again: 'Create another one',
    running: ({ name }) => say`Creating ${bold(name)} …`,
    asked: ({ name }) => say`Asked for ${bold(name)}.`,
    unknown: ({ name }) => ({
      state: say`${bold(name)} may have been created`,
      check: say`Check the console, or see whether it appears in tomorrow’s costs.`,
    }),
    execute,
    present: createdCard,
    aside: passwordCard,
    follows: ({ service: { id }, password }, { organization, name, isSeen }, { approvedBy }) => {
      if (!isSeen || id === undefined) return undefined;
      const hasPassword = password.kind === 'kept';
      const of = { organization: organization.key, serviceId: id, name };
      return { command: 'create', ...of, approvedBy, hasPassword };
    },
  }),
);

/**
 * What rules may limit. The memory is the most that one replica can reach; it stays unsaid where
 * only a minimum was given, since the API's own maximum is not known.
 */
function attributes({ request }: Plan): Attributes {
  const { provider, region, maxReplicaMemoryGb, maxTotalMemoryGb } = request;
  const perReplica = [maxReplicaMemoryGb, maxTotalMemoryGb && maxTotalMemoryGb / 3];
  const memory = perReplica.filter((size) => size !== undefined);
  const memoryGb = memory.length === 0 ? undefined : Math.max(...memory);
  return { provider, region, replicas: request.maxReplicas ?? request.numReplicas, memoryGb };
}

/** Once the API has answered the service exists: nothing after that may make it a failure. */
async function execute(plan: Plan, ports: Ports, context: Context): Promise<Reply<Created>> {
  const { organization, request, secrets } = plan;
  const { result, requestId } = await ports.control.createService(organization.key, {
    ...request,
    ...resolveSecrets(secrets, ports),
  });
  const password = await settlePassword(result.password, plan, { ports, context });
  const noted = await note(result.service, plan, ports);
  return {
    result: { service: result.service, password, noted },
    requestId,
  };
}

async function settlePassword(
  password: string | undefined,
  { name }: Plan,
  { ports, context }: { readonly ports: Ports; readonly context: Context },
): Promise<PasswordFate> {
  if (password === undefined || password === '') return { kind: 'missing' };
  if (ports.settings.get().generatedPassword === 'discard') return { kind: 'discarded' };
  try {
    return { kind: 'kept', ...(await ports.secrets.keep(context.actor, password, name)) };
  } catch {
    return { kind: 'lost' };
  }
}

async function note(service: ServiceRecord, plan: Plan, ports: Ports): Promise<boolean> {
  const { id, state, name = plan.name } = service;
  if (id === undefined) return false;
  const known = { id, organization: plan.organization.key, name, source: 'created here' } as const;
  return await ports.directory.note({ ...known, state });
}
