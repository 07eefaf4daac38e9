import fc from 'fast-check';
import { DateTime } from 'luxon';
import { Pool } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import { AppError } from '../../src/core/cloud/errors.ts';
import { createPipeRequest } from '../../src/core/cloud/pipe.ts';
import { costRange, invitationRequest } from '../../src/core/cloud/records.ts';
import { type StateCommand, stateRequest } from '../../src/core/cloud/service.ts';
import { createServiceRequest } from '../../src/core/cloud/service-rules.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { ACME, KEYS, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { PIPE_BREAKS } from '../support/broken-pipes.ts';
import {
  type Break,
  INVITATION_BREAKS,
  type Json,
  SERVICE_BREAKS,
  STATE_BREAKS,
} from '../support/broken-requests.ts';
import { createTestClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { AUTHORIZATION, createStandIn, type PlainRequest } from '../support/stand-in.ts';
import { validPipe } from '../support/valid-pipes.ts';
import { validService } from '../support/valid-services.ts';

/** The same requests each time; PROPERTY_SEED=n tries others. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_127);
const AT_ONCE = 16;
const NOW = '2026-11-27T10:02:00.000Z';

/** All go through the schemas and the stand-in's answers; one in so many over HTTP as well. */
const OVER_HTTP = 8;
const SERVICES_PATH = `/v1/organizations/${ACME.id}/services`;
const ANALYTICS_PATH = `${SERVICES_PATH}/${SERVICES.analytics.id}`;
const INVITATIONS_PATH = `/v1/organizations/${ACME.id}/invitations`;

let plane: ControlPlane;
let api: ReturnType<typeof createControlApi>;
let wire: Pool;
let answer: (request: PlainRequest) => number;

beforeAll(async () => {
  const clock = createTestClock(NOW);
  plane = await startControlPlane({ clock, settings: { rateLimit: { limit: 1_000_000 } } });
  const { id: keyId, secret: keySecret } = KEYS.admin;
  api = createControlApi({
    baseUrl: plane.url,
    organizations: () => [{ key: 'acme', id: ACME.id, keyId, keySecret, names: 'neutral' }],
    clock,
    logger: silentLogger,
    limit: { requests: 1_000_000, perMs: 1 },
  });
  wire = new Pool(plane.url, { connections: AT_ONCE });
});
afterAll(async () => {
  await wire.close();
  await api.close();
  await plane.close();
});
beforeEach(() => {
  plane.reset();
  answer = createStandIn(NOW);
});

/** A service may be started and another stopped, however often, in this frozen moment. */
const validState = fc.oneof(
  fc.record({
    service: fc.constantFrom(SERVICES.analytics, SERVICES.archive, SERVICES.reporting),
    command: fc.constant<StateCommand>('start'),
  }),
  fc.record({
    service: fc.constantFrom(SERVICES.scratch, SERVICES.staging, SERVICES.reader),
    command: fc.constant<StateCommand>('stop'),
  }),
);

const validEmail = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_+-]{0,20}$/u),
    fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/u),
    fc.constantFrom('com', 'example', 'co.uk', 'io'),
  )
  .map(([local, domain, end]) => `${local}@${domain}.${end}`);

const validRange = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 30 }))
  .map(([ago, span]) => ({ from: day(-ago - span), to: day(-ago) }));

const brokenRange = fc.oneof(
  fc
    .tuple(fc.nat({ max: 400 }), fc.integer({ min: 31, max: 400 }))
    .map(([ago, span]) => ({ from: day(-ago - span), to: day(-ago) })),
  fc
    .tuple(fc.nat({ max: 400 }), fc.integer({ min: 1, max: 40 }))
    .map(([ago, span]) => ({ from: day(-ago), to: day(-ago - span) })),
  fc
    .constantFrom('', '2026-02-30', '2026-13-01', '26-11-01', '2026/11/01', '20261101', 'today')
    .chain((wrong) => fc.constantFrom({ from: wrong, to: day(-1) }, { from: day(-1), to: wrong })),
);

function day(ago: number): string {
  return DateTime.fromISO(NOW, { zone: 'utc' }).plus({ days: ago }).toFormat('yyyy-MM-dd');
}

describe('10,000 requests that break no rule are all taken', { timeout: 240_000 }, () => {
  it('3,500 services', () =>
    expectTaken(validService, 3_500, {
      schema: createServiceRequest,
      request: (body) => ({ method: 'POST', path: SERVICES_PATH, body }),
      call: (request) => api.createService('acme', request),
    }));

  it('1,000 commands', () =>
    expectTaken(validState, 1_000, {
      request: ({ service, command }) => ({
        method: 'PATCH',
        path: `${SERVICES_PATH}/${service.id}/state`,
        body: { command },
      }),
      call: ({ service, command }) => api.setServiceState('acme', service.id, command),
    }));

  it('2,000 invitations', () =>
    expectTaken(validEmail, 2_000, {
      request: (email) => ({ method: 'POST', path: INVITATIONS_PATH, body: { email } }),
      call: (email) => api.createInvitation('acme', email),
    }));

  it('3,000 pipes', () =>
    expectTaken(validPipe, 3_000, {
      schema: createPipeRequest,
      request: (body) => ({ method: 'POST', path: `${ANALYTICS_PATH}/pipes`, body }),
      call: (request) => api.createPipe('acme', SERVICES.analytics.id, request),
    }));

  it('500 ranges of costs', () =>
    expectTaken(validRange, 500, {
      schema: costRange,
      request: costRequest,
      call: (range) => api.usageCost('acme', range),
    }));
});

describe('10,000 requests with one rule broken are all refused, by stand-in and client', {
  timeout: 240_000,
}, () => {
  it('4,500 services', () =>
    expectRefused(breaksOf(validService, SERVICE_BREAKS, 4_500), {
      schema: createServiceRequest,
      request: (body) => ({ method: 'POST', path: SERVICES_PATH, body }),
    }));

  it('500 commands', () =>
    expectRefused(breaksOf(fc.constant({ command: 'start' }), STATE_BREAKS, 500), {
      schema: stateRequest,
      request: (body) => ({ method: 'PATCH', path: `${ANALYTICS_PATH}/state`, body }),
    }));

  it('500 invitations', () => {
    const emails = validEmail.map((email) => ({ email }));
    return expectRefused(breaksOf(emails, INVITATION_BREAKS, 500), {
      schema: invitationRequest,
      request: (body) => ({ method: 'POST', path: INVITATIONS_PATH, body }),
    });
  });

  it('3,500 pipes', () =>
    expectRefused(breaksOf(validPipe, PIPE_BREAKS, 3_500), {
      schema: createPipeRequest,
      request: (body) => ({ method: 'POST', path: `${ANALYTICS_PATH}/pipes`, body }),
    }));

  it('1,000 ranges of costs', () => {
    const ranges = fc.sample(brokenRange, { numRuns: 1_000, seed: SEED });
    return expectRefused(
      ranges.map((body) => ({ rule: 'range', stated: true, body })),
      { schema: costRange, request: costRequest },
    );
  });
});

function costRequest({ from, to }: Json): PlainRequest {
  const query = new URLSearchParams({ from_date: String(from), to_date: String(to) });
  return { method: 'GET', path: `/v1/organizations/${ACME.id}/usageCost?${query}` };
}

async function expectTaken<T>(
  arbitrary: fc.Arbitrary<T>,
  count: number,
  ways: {
    readonly schema?: z.ZodType;
    readonly request: (value: T) => PlainRequest;
    readonly call: (value: T) => Promise<unknown>;
  },
): Promise<void> {
  const values = fc.sample(arbitrary, { numRuns: count, seed: SEED });
  const refused: string[] = [];
  for (const value of values) {
    const parsed = ways.schema?.safeParse(value);
    if (parsed?.success === false) refused.push(`client: ${JSON.stringify(value)}`);
    const status = answer(ways.request(value));
    if (status !== 200) refused.push(`stand-in, ${status}: ${JSON.stringify(value)}`);
  }
  await inParallel(values.filter(isOverHttp), async (value) => {
    try {
      await ways.call(value);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      refused.push(`HTTP, ${thrown.message}: ${JSON.stringify(value)}`);
    }
  });
  expect(values).toHaveLength(count);
  expect(refused.slice(0, 3), `seed ${SEED}, ${refused.length} refused`).toEqual([]);
}

type Case = { readonly rule: string; readonly stated: boolean; readonly body: Json };

/** Every rule is broken about equally often, each time in another request. */
function breaksOf<T extends object>(
  valid: fc.Arbitrary<T>,
  breaks: readonly Break[],
  count: number,
): readonly Case[] {
  const upTo = (index: number): number => Math.floor((count * index) / breaks.length);
  return breaks.flatMap(({ rule, stated, apply }, index) => {
    const broken = valid.chain((request) => apply(Object.fromEntries(Object.entries(request))));
    // As it would travel: a key that is undefined is no key.
    return fc
      .sample(broken, { numRuns: upTo(index + 1) - upTo(index), seed: SEED + index })
      .map((body): Case => ({ rule, stated, body: JSON.parse(JSON.stringify(body)) }));
  });
}

async function expectRefused(
  cases: readonly Case[],
  ways: { readonly schema: z.ZodType; readonly request: (body: Json) => PlainRequest },
): Promise<void> {
  const taken: string[] = [];
  for (const { rule, stated, body } of cases) {
    const status = answer(ways.request(body));
    if (status !== 400) taken.push(`stand-in, ${rule}: ${status} ${JSON.stringify(body)}`);
    if (stated && ways.schema.safeParse(body).success) {
      taken.push(`client, ${rule}: ${JSON.stringify(body)}`);
    }
  }
  await inParallel(cases.filter(isOverHttp), async ({ rule, body }) => {
    const status = await send(ways.request(body));
    if (status !== 400) taken.push(`HTTP, ${rule}: ${status} ${JSON.stringify(body)}`);
  });
  expect(taken.slice(0, 5), `seed ${SEED}, ${taken.length} not refused`).toEqual([]);
}

function isOverHttp(_value: unknown, index: number): boolean {
  return index % OVER_HTTP === 0;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Past the client: the body as it is. Returns the status. */
async function send({ method, path, body }: PlainRequest): Promise<number> {
  const reply = await wire.request({
    method,
    path,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await reply.body.dump();
  return reply.statusCode;
}
