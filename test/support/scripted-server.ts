import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from './free-port.ts';

type Received = {
  readonly method: string;
  /** Path with its query, as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/** One answer. `silence` never answers; `cut` breaks the connection before or within the body. */
export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text as it is, anything else as JSON. */
      readonly body?: unknown;
      /** All but the last byte is sent at once, that one only then. */
      readonly lastByte?: Promise<unknown>;
    }
  | 'silence'
  | 'cut'
  | 'cut in the body';

export type ScriptedServer = {
  readonly url: string;
  readonly requests: readonly Received[];
  /** Answers for the next requests, in order; the last one stays for all that follow. */
  script(...answers: readonly Answer[]): void;
  close(): Promise<void>;
};

/** A real HTTP server on loopback that says what a test tells it to say, and remembers all. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: Received[] = [];
  let answers: Answer[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
        ),
        body,
      });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      give(response, answer ?? { status: 500, body: 'nothing was scripted' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script: (...next) => {
      answers = [...next];
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The address of a port on which nobody listens. */
export async function unusedAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'cut') {
    response.destroy();
    return;
  }
  if (answer === 'cut in the body') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"status":200,', () => response.destroy());
    return;
  }
  const body = answer.body ?? '';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(answer.status ?? 200, answer.headers);
  if (answer.lastByte === undefined) {
    response.end(text);
    return;
  }
  response.write(text.slice(0, -1));
  void answer.lastByte.then(() => response.end(text.slice(-1)));
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
