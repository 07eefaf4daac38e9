import { createControlApi } from '../../src/control-api/create-control-api.ts';
import type { ControlApi } from '../../src/core/ports/ports.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { ACME, BEARER, KEYS } from '../../src/sandbox/control-plane/seed.ts';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { createTestClock } from './settable-clock.ts';
import { silentLogger } from './silent-logger.ts';

export type SandboxApi = {
  readonly control: ControlApi;
  readonly plane: Awaited<ReturnType<typeof startControlPlane>>;
  close(): Promise<void>;
};

export type SandboxApiOptions = {
  /** Undefined: the observability API is not configured. */
  readonly observability?: { readonly token: string } | undefined;
};

/** The real client before the stand-in of the control API, with the admin key of Acme. */
export async function startSandboxApi(
  options: SandboxApiOptions = { observability: BEARER },
): Promise<SandboxApi> {
  const plane = await startControlPlane({ clock: createSettableClock() });
  const { observability } = options;
  const api = createControlApi({
    baseUrl: plane.url,
    organizations: () => [
      {
        key: 'acme',
        id: ACME.id,
        keyId: KEYS.admin.id,
        keySecret: KEYS.admin.secret,
        names: 'neutral',
      },
    ],
    ...(observability === undefined
      ? {}
      : { observability: { baseUrl: plane.url, token: observability.token } }),
    clock: createTestClock('2026-11-27T10:02:00.000Z'),
    logger: silentLogger,
  });
  return {
    control: api,
    plane,
    close: async () => {
      await plane.close();
      await api.close();
    },
  };
}
