import { afterEach } from 'vitest';
import type { CostRecord } from '../../../../src/sandbox/control-plane/billing/day-records.ts';
import { startControlPlane } from '../../../../src/sandbox/control-plane/control-plane.ts';
import type {
  ControlPlane,
  ControlPlaneOptions,
} from '../../../../src/sandbox/control-plane/plane.ts';
import { ACME, KEYS } from '../../../../src/sandbox/control-plane/seed.ts';

export const ORGANIZATION = `/v1/organizations/${ACME.id}`;

/** What the tests read of a result; which parts are there depends on the operation. */
type Result = {
  readonly id: string;
  readonly state: string;
  readonly password: string;
  readonly service: {
    readonly id: string;
    readonly state: string;
    readonly endpoints: readonly { readonly protocol: string }[];
  };
  readonly costs: readonly CostRecord[];
  readonly grandTotalUnits: number;
};

type Body = {
  readonly status: number;
  readonly requestId: string;
  readonly error: string;
  readonly result: Result;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly json: Body;
};

export type Ask = {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly text?: string;
  readonly authorization?: string | null;
  readonly contentType?: string | null;
};

export type Started = ControlPlane & {
  /** Sends `GET /path` and so on with the admin key. */
  readonly ask: (route: string, ask?: Ask) => Promise<Answer>;
};

const running: ControlPlane[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((plane) => plane.close()));
});

/** A stand-in on a free port, closed after the test; its limit is out of the way unless asked for. */
export async function start(options: ControlPlaneOptions = {}): Promise<Started> {
  const plane = await startControlPlane({
    ...options,
    settings: { rateLimit: { limit: 10_000 }, ...options.settings },
  });
  running.push(plane);
  return { ...plane, ask: (route, ask) => send(plane.url, route, ask) };
}

export function basic(key: { readonly id: string; readonly secret: string }): string {
  return `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`;
}

export async function send(url: string, route: string, ask: Ask = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const headers: Record<string, string> = { 'user-agent': 'test/1.0' };
  const authorization = ask.authorization ?? basic(KEYS.admin);
  if (ask.authorization !== null) headers['authorization'] = authorization;
  const body = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  if (body !== undefined && ask.contentType !== null) {
    headers['content-type'] = ask.contentType ?? 'application/json';
  }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined as unknown as Body;
  }
}

/** The 400 that names a field by its path and says what fits. */
export function refusal(path: string, words: string) {
  return { status: 400, error: `BAD_REQUEST: ${path}: ${words}` };
}
