import { Agent } from 'undici';
import { AppError } from '../core/cloud/errors.ts';
import type { CallOptions, ControlApi, Logger, Reply } from '../core/ports/ports.ts';
import type { CloudReads } from '../core/ports/sight.ts';
import { secretValues } from './answers/api-sentence.ts';
import { connectionError, malformedError } from './answers/failure.ts';
import { replyFields, requestIdOf } from './answers/reply.ts';
import { type CallTools, performCall, type WireCall } from './call.ts';
import {
  createCloudReads,
  createReads,
  createWrites,
  type PathParameters,
  type Plan,
} from './calls.ts';
import { type ConnectionOptions, createConnections, type RateLimit } from './connections.ts';
import { createListReads } from './list-reads.ts';
import { CLIENT_ROUTES, type ClientRoute, wirePath } from './routes.ts';
import { createTransport, type NewAgent } from './transport.ts';

export type ControlApiOptions = Omit<ConnectionOptions, 'limit'> & {
  readonly logger: Logger;
  /** For one call with all its waiting and retries; 30,000 ms unless given. */
  readonly deadlineMs?: number | undefined;
  /** For each key; 10 requests in 10,000 ms unless given. */
  readonly limit?: RateLimit | undefined;
  /** Absent: connections are made directly. */
  readonly newAgent?: NewAgent | undefined;
  /** 0 up to 1; spreads retries. */
  readonly random?: (() => number) | undefined;
};

const DEADLINE_MS = 30_000;
const LIMIT: RateLimit = { requests: 10, perMs: 10_000 };

/**
 * The typed client of all nine operations. Requests are parsed strictly before they are sent,
 * responses leniently; every fault is an AppError of the control API's kinds, `not-configured`
 * for what the settings lack. `cloud` has the reads beyond the specification, which not every cloud
 * answers. `close` lets running calls end and refuses new ones.
 * Spec: Endpoints 1 to 9; Authentication. Design: §8.
 */
export function createControlApi(
  options: ControlApiOptions,
): ControlApi & { readonly cloud: CloudReads; close(): Promise<void> } {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const connections = createConnections({ ...options, limit: options.limit ?? LIMIT });
  const transport = createTransport(deadlineMs, options.newAgent ?? ((agent) => new Agent(agent)));
  const tools: CallTools = {
    transport,
    clock: options.clock,
    logger: options.logger,
    random: options.random ?? Math.random,
  };
  let closing: Promise<void> | undefined;

  async function send<T>(plan: Plan<T>): Promise<Reply<T>> {
    const wire = wireCall(plan, deadlineMs);
    if (closing !== undefined) throw connectionError(wire, 'unsent', undefined);
    const reply = await performCall(tools, wire);
    const isEmpty = reply.json === undefined && reply.text.trim() === '';
    const fields = isEmpty ? {} : replyFields(reply);
    const result = fields === undefined ? undefined : plan.read(fields);
    if (result === undefined) throw malformedError(wire, reply);
    return { result, requestId: requestIdOf(reply) };
  }

  const during = (call: CallOptions | undefined): ControlApi => ({
    ...createReads(connections, send),
    ...createWrites(connections, (plan) => send({ ...plan, call })),
    during,
  });
  return {
    ...during(undefined),
    cloud: { ...createCloudReads(connections, send), ...createListReads(connections, send) },
    close: () => {
      connections.close();
      closing ??= transport.close();
      return closing;
    },
  };
}

function wireCall<T>(plan: Plan<T>, deadlineMs: number): WireCall {
  const { connection, body, call } = plan;
  const route = CLIENT_ROUTES[plan.operation];
  const path = wirePath(route.path, connection.names);
  const parameters = { ...plan.parameters, ...connection.parameters };
  return {
    route,
    deadlineMs,
    limiter: connection.limiter,
    priority: call?.priority ?? 'person',
    signal: call?.signal,
    beforeSend: call?.beforeSend,
    onWait: call?.onWait,
    secrets: [...secretValues(body), ...connection.secrets],
    request: {
      method: route.method,
      url: buildUrl(connection.baseUrl, { ...route, path }, parameters, plan.query),
      authorization: connection.authorization,
      body: body && JSON.stringify(body),
      list: plan.list,
    },
  };
}

const LONGEST_ID = 200;
const UNSAFE = /[/\\\p{Cc}\p{Cs}]|\.\./u;

/**
 * The address of a call: base, path with its parameters filled in, query.
 * Throws AppError `invalid` for a parameter that could leave its segment of the path.
 * Spec: Endpoints.
 */
function buildUrl(
  base: string,
  route: ClientRoute,
  parameters: PathParameters,
  query: PathParameters = {},
): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(checked(route, name, parameters[name])),
  );
  const search = new URLSearchParams(query).toString();
  return `${base.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
}

function checked(route: ClientRoute, name: string, value: string | undefined): string {
  const fits =
    value !== undefined &&
    value.trim() !== '' &&
    value !== '.' &&
    value.length <= LONGEST_ID &&
    !UNSAFE.test(value);
  if (fits) return value;
  const cause = `${name} has to be an id of at most ${LONGEST_ID} characters without slashes`;
  throw new AppError('invalid', {
    userMessage: `${route.notDone}: ${cause}.`,
    because: { cause, way: 'Nothing was sent.' },
  });
}
