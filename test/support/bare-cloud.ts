import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACME } from '../../src/sandbox/control-plane/seed.ts';

export type Raw = Readonly<Record<string, unknown>>;

type Received = Readonly<{ method: string; path: string; query: URLSearchParams; body: unknown }>;

/** `result` as it is; `status` alone fails; `text` is no JSON; `delayMs` comes late. */
export type Said = Readonly<{
  status?: number;
  result?: unknown;
  text?: string;
  headers?: Readonly<Record<string, string>>;
  delayMs?: number;
}>;

/** What a path says instead; undefined: as ever. */
type Instead = (received: Received) => Said | undefined;

export type BareCloud = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Of each service no more than the interface description requires, and what a test adds. */
  services: Raw[];
  activities: Raw[];
  invitations: Raw[];
  pipes: Raw[];
  backups: Raw[];
  organizations: Raw[];
  /** By which state a command is answered; `as it was`: nothing changes. */
  answers: Readonly<Record<string, string>>;
  instead: Instead;
  close(): Promise<void>;
};

const ORGANIZATION = `/v1/organizations/${ACME.id}`;
const REQUIRED = {
  autoscalingMode: 'vertical',
  currentScaling: {},
};

/** A record with what `clickhouse-cloud.openapi.json` requires of a service, and nothing else. */
export function bareService(id: string, more: Raw = {}): Raw {
  return { id, ...REQUIRED, ...more };
}

/**
 * A second reading of the interface description, apart from the stand-in: optional fields are absent
 * unless a test gives them, no headers beside the type, no lag, no state that moves by itself.
 */
export async function startBareCloud(): Promise<BareCloud> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, cloud, received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cloud: BareCloud = {
    ...{ url: `http://127.0.0.1:${port}`, received },
    ...{ services: [], activities: [], invitations: [], pipes: [], backups: [] },
    organizations: [{ id: ACME.id }],
    answers: { start: 'starting', stop: 'stopping', awake: 'awaking' },
    instead: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return cloud;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  cloud: BareCloud,
  all: Received[],
): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://cloud');
  const text = (await request.setEncoding('utf8').toArray()).join('');
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const received = { method: request.method ?? '', path, query, body };
  all.push(received);
  const said = cloud.instead(received) ?? said200(received, cloud);
  if (said.delayMs !== undefined) await new Promise((late) => setTimeout(late, said.delayMs));
  const { status = 200, result, headers } = said;
  const type = said.text === undefined ? 'application/json' : 'text/html';
  response.writeHead(status, { 'content-type': type, ...headers });
  const failed = { error: `status ${status}`, status };
  const requestId = crypto.randomUUID();
  response.end(said.text ?? JSON.stringify(status < 300 ? { status, requestId, result } : failed));
}

function said200(received: Received, cloud: BareCloud): Said {
  const { method, path, query, body } = received;
  const at = `${method} ${path.replace(ORGANIZATION, '')}`;
  const [, id = ''] = /^\/services\/([^/]+)/u.exec(path.replace(ORGANIZATION, '')) ?? [];
  const one = cloud.services.find((service) => service['id'] === id);
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    'GET /v1/organizations': cloud.organizations,
    'GET /services': cloud.services,
    'GET /invitations': cloud.invitations,
    'GET /roles': [],
    'GET /activities': cloud.activities.filter(({ createdAt: moment }) => {
      const [from, to] = ['from_date', 'to_date'].map((key) => Date.parse(query.get(key) ?? ''));
      const then = Date.parse(String(moment));
      return !(then < (from ?? 0)) && !(then > (to ?? 0));
    }),
    [`GET /services/${id}/clickpipes`]: cloud.pipes,
    [`GET /services/${id}/backups`]: cloud.backups,
    [`GET /services/${id}/clickstack/dashboards`]: [],
  };
  if (lists[at] !== undefined) return { result: lists[at] };
  if (at === `GET /services/${id}` && one !== undefined) return { result: one };
  if (at === `PATCH /services/${id}/state` && one !== undefined) {
    const { command } = body as { readonly command: string };
    const next = { ...one, state: cloud.answers[command] };
    cloud.services = cloud.services.map((service) => (service === one ? next : service));
    return { result: next };
  }
  if (at === 'POST /services') {
    const service = bareService(crypto.randomUUID(), { ...(body as Raw), state: 'provisioning' });
    cloud.services = [...cloud.services, service];
    return { result: { service, password: 'fake-password-of-a-bare-cloud' } };
  }
  if (at === `POST /services/${id}/clickpipes`) {
    const pipe = { id: crypto.randomUUID(), ...(body as Raw), state: 'Provisioning' };
    cloud.pipes = [...cloud.pipes, pipe];
    return { result: pipe };
  }
  const [, pipeId] = /^GET \/services\/[^/]+\/clickpipes\/(.+)$/u.exec(at) ?? [];
  const pipe = cloud.pipes.find((each) => each['id'] === pipeId);
  return pipe === undefined ? { status: 404 } : { result: pipe };
}
