import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../core/pipeline/request.ts';

export type Metrics = {
  /** One finished request, by operation and outcome, with its duration in ms. */
  finished(operation: string, outcome: string, durationMs: number): void;
  connections(open: number): void;
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
  return {
    finished: (operation, outcome, durationMs) => {
      requests.inc({ operation, outcome });
      duration.observe({ operation }, durationMs / 1_000);
    },
    connections: (open) => connections.set(open),
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
