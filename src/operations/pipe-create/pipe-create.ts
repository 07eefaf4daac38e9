import { defineOperation } from '../../core/operation/operation.ts';
import { serviceTarget, typedName } from '../../core/operation/resolve.ts';
import { bold, say } from '../../core/text/text.ts';
import { asFormText } from './draft.ts';
import { input } from './input.ts';
import { boundPart, PIPE_CREATE, planPipe } from './plan.ts';
import { present } from './present.ts';
import { toRequest } from './request.ts';
import { preview, unknownOutcome } from './words.ts';

/**
 * `/db pipe analytics`: a form for Kafka, Kinesis, object storage and Postgres with every field of
 * the request. Spec: Pipe; Endpoints 6 (Beta). Design: §7.
 */
export const pipeCreate = defineOperation({
  id: PIPE_CREATE,
  summary: 'Create an ingestion pipe',
  title: 'Create a pipe',
  badge: 'Beta',
  risk: 'spend',
  confirm: 'form',
  slash: {
    words: ['pipe'],
    positional: ['service'],
    examples: [
      'pipe analytics',
      'pipe analytics --name orders --source-kind kafka --kafka-brokers broker-1.example.com:9092 --kafka-topics orders --table orders --managed-table true --columns "id UInt64; note String" --field-mappings "id -> id; note -> note"',
    ],
  },
  input,
  prefill: (raw) => ({ raw: asFormText(raw), issues: [] }),
  refused: (raw) => say`${typedName(raw, 'name', 'The pipe')} was not created`,
  plan: planPipe,
  targets: ({ entry }) => [serviceTarget(entry)],
  binds: (plan) => boundPart(plan),
  preview,
  doubles: ({ doubles }) => doubles,
  again: 'Create another one',
  running: ({ entry, name }) => say`Creating the pipe ${bold(name)} on ${bold(entry.name)} …`,
  asked: ({ entry, name }) => say`Asked for the pipe ${bold(name)} on ${bold(entry.name)}.`,
  unknown: unknownOutcome,
  execute: ({ entry, pipe }, ports) => {
    const request = toRequest(pipe, ports.credentials);
    return ports.control.createPipe(entry.organization, entry.id, request);
  },
  present,
});
