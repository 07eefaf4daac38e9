import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, connect } from 'node:net';

export type ConnectProxy = {
  /** Without credentials. */
  readonly host: string;
  /** `host:port` of each CONNECT that was let through. */
  readonly tunnels: () => readonly string[];
  /** How many it did not let through for their credentials. */
  readonly refusals: () => number;
  /** `METHOD path` of each request that came through, those for a WebSocket among them. */
  readonly requests: () => readonly string[];
  close(): void;
};

/** A test-only CA of no worth: its own key was thrown away. It vouches for slack.test and cloud.test. */
const CA_FOLDER = new URL('./fake-ca/', import.meta.url);
export const FAKE_CA = new URL('ca.pem', CA_FOLDER).pathname;

/**
 * A CONNECT proxy that does not allow forbidden.test and alone knows the hosts of `names` (to the address of a plain-http stand-in, by
 * TLS of its own), so that what arrives there came through it.
 */
export async function startConnectProxy(
  names: Readonly<Record<string, string>>,
  credentials?: string,
): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const requests: string[] = [];
  let refusals = 0;
  const servers: Server[] = [];
  const ends: Record<string, number> = {};
  for (const [name, target] of Object.entries(names)) {
    const end = await listening(tlsFront(new URL(target), requests));
    servers.push(end);
    ends[`${name}:443`] = portOf(end);
  }
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request, client) => {
    client.on('error', () => undefined);
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      refusals += 1;
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const target = request.url ?? '';
    if (target === 'forbidden.test:443') {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    tunnels.push(target);
    const port = ends[target];
    if (port === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const far = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(far).pipe(client);
    });
    far.on('error', () => client.destroy());
    client.on('close', () => far.destroy());
  });
  servers.push(await listening(proxy));
  return {
    host: `127.0.0.1:${portOf(proxy)}`,
    tunnels: () => tunnels,
    refusals: () => refusals,
    requests: () => requests,
    close: () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

export function fakeLeaf(): { readonly key: Buffer; readonly cert: Buffer } {
  const read = (name: string) => readFileSync(new URL(name, CA_FOLDER));
  return { key: read('leaf.key'), cert: read('leaf.pem') };
}

function tlsFront(target: URL, requests: string[]): Server {
  const onward = ({ method, url: path, headers }: IncomingMessage) => {
    requests.push(`${method} ${path}`);
    const { hostname, port, host } = target;
    return httpRequest({ hostname, port, method, path, headers: { ...headers, host } });
  };
  const server = createTls(fakeLeaf(), (request, response) => {
    const far = onward(request);
    far.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    far.on('error', () => response.destroy());
    request.pipe(far);
  });
  server.on('upgrade', (request, client) => {
    const far = onward(request).end();
    far.on('upgrade', ({ headers }, socket, first) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      client.write(first);
      client.pipe(socket).pipe(client);
      client.on('error', () => socket.destroy());
      socket.on('error', () => client.destroy());
    });
    far.on('error', () => client.destroy());
  });
  return server;
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
