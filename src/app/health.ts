import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../core/pipeline/request.ts';
import type { Trouble } from '../core/ports/troubles.ts';

export type HealthSource = {
  /** Open connections from Slack; without one the bot is deaf. */
  connections(): number;
  /** Problems of the database; empty when all is well. */
  database(): Promise<readonly string[]>;
  /** What is wrong around this process and ends nothing. */
  troubles(): readonly Trouble[];
};

export type HealthServer = { readonly port: number; close(): Promise<void> };

/**
 * `GET /healthz` answers 200 while events can arrive and the database answers, else 503 with the
 * reasons, and what is to be mended as warnings; `GET /livez` answers 200 while the process does,
 * because no restart mends an outage of Slack or of the database; `GET /metrics` in Prometheus' text
 * format.
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
    metrics.troubles(source.troubles());
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
    body: `${JSON.stringify({ ok: problems.length === 0, problems, warnings: source.troubles() })}\n`,
  };
}

export type Metrics = {
  /** One finished request, by operation and outcome, with its duration in ms. */
  finished(operation: string, outcome: string, durationMs: number): void;
  connections(open: number): void;
  troubles(now: readonly Trouble[]): void;
  readonly contentType: string;
  text(): Promise<string>;
};

/** Prometheus metrics of one process; labels are operation ids and outcomes, never people. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'steward_requests_total',
    help: 'Requests by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'steward_request_duration_seconds',
    help: 'From the opened to the closed journal row.',
    labelNames: ['operation'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  const connections = new Gauge({
    name: 'steward_slack_connections',
    help: 'Open connections from Slack.',
    registers: [registry],
  });
  const troubles = new Gauge({
    name: 'steward_troubles',
    help: 'What is wrong around Steward, by kind and subject; gone once it is over.',
    labelNames: ['kind', 'subject'],
    registers: [registry],
  });
  return {
    finished: (operation, outcome, durationMs) => {
      requests.inc({ operation, outcome });
      duration.observe({ operation }, durationMs / 1_000);
    },
    connections: (open) => connections.set(open),
    troubles: (now) => {
      troubles.reset();
      for (const { kind, subject } of now) troubles.set({ kind, subject }, 1);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

export function metricsObserver(metrics: Metrics): Observer {
  return {
    finished: ({ operation, journaled, outcome }) =>
      metrics.finished(operation.id, journaled, outcome.durationMs),
  };
}
