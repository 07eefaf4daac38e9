import type { UnknownOutcome } from '../../core/operation/operation.ts';
import type { Preview } from '../../core/operation/outcome.ts';
import { standing } from '../../core/operation/resolve.ts';
import { bold, code, say, type Text } from '../../core/text/text.ts';
import { fieldLines } from './field-lines.ts';
import { SOURCE_LABELS } from './kinds.ts';
import type { PipeDefinition } from './pipe-definition.ts';
import type { PipePlan } from './plan.ts';

/** What the approver reads: from where, to where, every field that is sent, and what it costs. */
export function preview(plan: PipePlan): Preview {
  const { entry, kind, name } = plan;
  const place = [...entry.tags, entry.organization].join(', ');
  return {
    question: say`Create the pipe ${bold(name)} on ${bold(entry.name)}?`,
    ask: say`create the pipe ${bold(name)} (${SOURCE_LABELS[kind]}) on ${bold(entry.name)} (${place})`,
    lines: [
      say`From ${sourceWords(plan.pipe)} to ${destinationWords(plan.pipe)}.`,
      ...fieldLines(plan.pipe),
      say`${standing(entry)}. A pipe costs compute while it runs.`,
      ...notRunning(plan),
    ],
    button: 'Create',
    danger: false,
  };
}

/** What was last reported may be old, so it warns and does not stop. */
function notRunning({ entry }: PipePlan): readonly Text[] {
  if (entry.state === undefined || entry.state === 'running') return [];
  return [
    say`The API refuses pipes unless the service is running; last reported ${code(entry.state)}.`,
  ];
}

/** The API lists no pipes, so the console is the one place to look. Design: §8. */
export function unknownOutcome({ entry, name }: PipePlan): UnknownOutcome {
  return {
    state: say`The pipe ${bold(name)} may have been created on ${bold(entry.name)}`,
    check: say`Look at the service’s pipes in the console before trying again, or wait for tomorrow’s costs to name it.`,
  };
}

/** `Kafka orders at broker-1:9092`, never with a query that an address may carry. */
export function sourceWords({ source = {} }: PipeDefinition): Text {
  const { kafka, kinesis, objectStorage, postgres } = source;
  if (kafka !== undefined) {
    return say`Kafka ${code(kafka.topics ?? '')} at ${code(kafka.brokers ?? '')}`;
  }
  if (kinesis !== undefined) {
    return say`Kinesis ${code(kinesis.streamName ?? '')} (${kinesis.region ?? ''})`;
  }
  if (postgres !== undefined) {
    const { host = '', port = '', database = '', tableMappings = [] } = postgres;
    const count = tableMappings.length === 1 ? '1 table' : `${tableMappings.length} tables`;
    return say`Postgres ${code(`${host}:${port}/${database}`)} (${count})`;
  }
  const { url, azureContainerName = '', path = '' } = objectStorage ?? {};
  return say`object storage ${code(url?.replace(/[?#].*$/su, '') ?? `${azureContainerName}/${path}`)}`;
}

/** `raw.orders`; which database is the default is the API’s own affair. */
export function destinationWords({ destination = {} }: PipeDefinition): Text {
  const { database, table } = destination;
  const parts = [database, table].filter((part) => part !== undefined);
  return parts.length === 0 ? ['the default database'] : [code(parts.join('.'))];
}
