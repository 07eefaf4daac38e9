import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createControlApi } from '../../../../src/control-api/create-control-api.ts';
import type { AnyCreatePipeRequest } from '../../../../src/core/cloud/clickhouse-pipe.ts';
import { SOURCE_KINDS } from '../../../../src/core/cloud/pipe.ts';
import { startControlPlane } from '../../../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../../../src/sandbox/control-plane/plane.ts';
import { ACME, KEYS, SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import { LEAST, PIPE_FIELD_SAMPLES } from '../../../support/pipe-fields.ts';
import { createTestClock } from '../../../support/settable-clock.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { requestOf } from './fixture.ts';

let plane: ControlPlane;
let api: ReturnType<typeof createControlApi>;

beforeAll(async () => {
  const clock = createTestClock('2026-11-27T10:02:00Z');
  plane = await startControlPlane({ clock, settings: { rateLimit: { limit: 10_000 } } });
  const organization = {
    key: 'acme',
    id: ACME.id,
    keyId: KEYS.admin.id,
    keySecret: KEYS.admin.secret,
    names: 'neutral' as const,
  };
  api = createControlApi({
    baseUrl: plane.url,
    organizations: () => [organization],
    clock,
    logger: silentLogger,
  });
});

afterAll(async () => {
  await api.close();
  await plane.close();
});

describe('the stand-in of the control API', () => {
  it.each(SOURCE_KINDS)('takes the least and the most of a %s pipe', async (kind) => {
    const least = { name: `${kind} least`, sourceKind: kind, ...LEAST[kind] };
    const samples = PIPE_FIELD_SAMPLES.filter((sample) => sample.kind === kind);
    const most = Object.assign({}, ...samples.map(({ key, typed }) => ({ [key]: typed })));
    const requests: readonly AnyCreatePipeRequest[] = [
      await requestOf(least),
      await requestOf({ ...least, ...most, name: `${kind} most` }),
    ];
    for (const request of requests) {
      const { result } = await api.createPipe('acme', SERVICES.analytics.id, request);
      expect(result).toMatchObject({ name: request.name, sourceKind: kind });
      expect(result.state).toBeDefined();
    }
  });
});
