import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTransport, type Transport } from '../../../src/control-api/transport.ts';
import { unusedAddress } from '../../support/scripted-server.ts';

const never = new AbortController().signal;

let transport: Transport;
let server: Server;
let url = '';
let connections = 0;
const seen: { method: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeEach(async () => {
  connections = 0;
  seen.length = 0;
  transport = createTransport(30_000, (options) => new Agent(options));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', headers: request.headers, body });
      response.writeHead(201, { 'x-request-id': 'r-1' }).end('{"result":{"costs":[1]}}');
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  await transport.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const GET = { method: 'GET', authorization: 'Basic fake' } as const;

describe('one attempt', () => {
  it('sends what it is given and brings back status, headers, value and text', async () => {
    const body = JSON.stringify({ name: 'ä' });
    const reply = await transport.send({ ...GET, method: 'POST', url, body }, never);
    expect(reply).toMatchObject({
      ...{ kind: 'reply', status: 201, headers: { 'x-request-id': 'r-1' } },
      ...{ json: { result: { costs: [1] } }, text: '{"result":{"costs":[1]}}' },
    });
    await transport.send({ ...GET, method: 'DELETE', url }, never);
    const own = {
      accept: 'application/json',
      authorization: 'Basic fake',
      'user-agent': 'steward',
    };
    expect(seen).toMatchObject([
      { method: 'POST', body, headers: { ...own, 'content-type': 'application/json' } },
      { method: 'DELETE', body: '', headers: own },
    ]);
    expect(seen[1]?.headers).not.toHaveProperty('content-type');
  });

  it('keeps its connection after a read, and makes a fresh one for each change', async () => {
    for (let n = 0; n < 9; n += 1) await transport.send({ ...GET, url }, never);
    // The one may still be ending when the next is asked for.
    expect(connections).toBeLessThan(4);
    connections = 0;
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      await transport.send({ ...GET, method, url }, never);
    }
    expect(connections).toBe(3);
    const list = { path: ['result', 'costs'], restart: () => {}, add: () => {} } as const;
    for (let n = 0; n < 9; n += 1) await transport.send({ ...GET, url, list }, never);
    expect(connections).toBeLessThan(7);
  });

  it('lets its connections go once it is closed, and makes no more', async () => {
    const open = new Set<unknown>();
    server.on('connection', (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    const list = { path: ['result', 'costs'], restart: () => {}, add: () => {} } as const;
    await transport.send({ ...GET, url }, never);
    await transport.send({ ...GET, url, list }, never);
    expect(open.size).toBe(2);
    await transport.close();
    await expect.poll(() => open.size, { timeout: 900 }).toBe(0);
    connections = 0;
    for (const method of ['GET', 'POST'] as const) {
      expect((await transport.send({ ...GET, method, url }, never)).kind).not.toBe('reply');
    }
    expect(connections).toBe(0);
    transport = createTransport(30_000, (options) => new Agent(options));
  });

  it('takes no members from the answer of a failure', async () => {
    let restarts = 0;
    const list = {
      path: ['result', 'costs'],
      restart: () => {
        restarts += 1;
      },
      add: () => {},
    } as const;
    await transport.send({ ...GET, url, list }, never);
    expect(restarts).toBe(1);
    server.removeAllListeners('request');
    for (const status of [300, 503]) {
      server.removeAllListeners('request');
      server.on('request', (_, response) => void response.writeHead(status).end('{}'));
      expect(await transport.send({ ...GET, url, list }, never)).toMatchObject({ status });
    }
    expect(restarts).toBe(1);
  });
});

describe('an attempt without an answer', () => {
  const kindOf = async (address: string, signal = never) =>
    (await transport.send({ ...GET, method: 'POST', url: address, body: '{}' }, signal)).kind;

  it('was never sent where no connection was made', async () => {
    expect(await kindOf(await unusedAddress())).toBe('unsent');
    expect(await kindOf((await unusedAddress()).replace('127.0.0.1', 'localhost'))).toBe('unsent');
    expect(await kindOf('http://no-such-host.invalid/')).toBe('unsent');
    expect(await kindOf(url.replace('http:', 'https:'))).toBe('unsent');
    expect(await kindOf('http://')).toBe('unsent');
    expect(await kindOf('no address')).toBe('unsent');
    expect(seen).toEqual([]);
  });

  it('was never sent where the certificate is signed by nobody known', async () => {
    const folder = new URL('../../support/fake-ca/', import.meta.url);
    const [key, cert] = ['leaf.key', 'leaf.pem'].map((name) => readFileSync(new URL(name, folder)));
    const far = createTlsServer({ key, cert }, (_, response) => response.end('{}'));
    await new Promise<void>((ready) => far.listen(0, '127.0.0.1', ready));
    const { port } = far.address() as AddressInfo;
    expect(await kindOf(`https://127.0.0.1:${port}/`)).toBe('unsent');
    await new Promise((closed) => far.close(closed));
  });

  it('may have run where the connection broke later', async () => {
    server.removeAllListeners('request');
    server.on('request', (_, response) => void response.destroy());
    expect(await kindOf(url)).toBe('cut');
    server.removeAllListeners('request');
    server.on('request', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    });
    expect(await kindOf(url)).toBe('cut');
    const noHttp = createTcpServer((socket) => socket.resume().end('SSH-2.0\r\n'));
    await new Promise<void>((ready) => noHttp.listen(0, '127.0.0.1', ready));
    const { port } = noHttp.address() as AddressInfo;
    expect(await kindOf(`http://127.0.0.1:${port}/`)).toBe('cut');
    await new Promise((closed) => noHttp.close(closed));
  });

  it('was stopped where nobody waits any longer, whatever else happened', async () => {
    const gone = AbortSignal.abort(new Error('Nobody waits.'));
    expect(await kindOf(url, gone)).toBe('stopped');
    expect(seen).toEqual([]);
    server.removeAllListeners('request');
    const leaving = new AbortController();
    server.on('request', () => leaving.abort(new Error('Nobody waits.')));
    const stopped = await transport.send({ ...GET, url }, leaving.signal);
    expect(stopped).toEqual({ kind: 'stopped', cause: leaving.signal.reason });
  });

  it('gives up on a connection well before the deadline, so that the two are told apart', async () => {
    let timeout = 0;
    for (const [deadline, expected] of [
      [300, 100],
      [2, 1],
      [600_000, 10_000],
    ] as const) {
      const other = createTransport(deadline, (options) => {
        timeout = options.connect.timeout;
        return new Agent(options);
      });
      expect(timeout).toBe(expected);
      await other.close();
    }
  });
});
