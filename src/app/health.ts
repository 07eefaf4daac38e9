import { createServer } from 'node:http';
import type { Metrics } from './metrics.ts';

export type HealthSource = {
  /** Open connections from Slack; without one the bot is deaf. */
  connections(): number;
  /** Problems of the database; empty when all is well. */
  database(): Promise<readonly string[]>;
};

export type HealthServer = { readonly port: number; close(): Promise<void> };

/**
 * `GET /healthz` answers 200 while events can arrive and the database answers, else 503 with the
 * reasons; `GET /livez` answers 200 while the process does, because no restart mends an outage of
 * Slack or of the database; `GET /metrics` in Prometheus' text format.
 */
export async function startHealthServer(
  port: number,
  source: HealthSource,
  metrics: Metrics,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', source, metrics).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type HealthAnswer = { readonly status: number; readonly type: string; readonly body: string };

async function answer(url: string, source: HealthSource, metrics: Metrics): Promise<HealthAnswer> {
  if (url.startsWith('/livez')) return { status: 200, type: 'text/plain', body: 'ok\n' };
  const connections = source.connections();
  if (url.startsWith('/metrics')) {
    metrics.connections(connections);
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  }
  if (!url.startsWith('/healthz')) return { status: 404, type: 'text/plain', body: 'not found\n' };
  const problems = [
    ...(connections === 0 ? ['no connection from Slack'] : []),
    ...(await source.database()),
  ];
  return {
    status: problems.length === 0 ? 200 : 503,
    type: 'application/json',
    body: `${JSON.stringify({ ok: problems.length === 0, problems })}\n`,
  };
}
