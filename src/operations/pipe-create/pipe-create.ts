import { z } from 'zod';
import { SOURCE_KINDS } from '../../core/cloud/pipe.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import { serviceTarget, typedName } from '../../core/operation/resolve.ts';
import { bold, say } from '../../core/text/text.ts';
import { present, preview, unknownOutcome } from './cards.ts';
import { asFormText, readDraft } from './draft.ts';
import { NAME_FIELD, PIPE_FIELDS } from './pipe-definition.ts';
import { type PipeFields, SOURCE_LABELS } from './pipe-field.ts';
import { boundPart, PIPE_CREATE, planPipe, toRequest } from './plan.ts';

/** As typed; what a field takes is checked for all of them together, in `draft.ts`. */
function typed(fields: PipeFields) {
  const text = z.string().max(3_000, 'At most 3,000 characters.');
  const loose = z
    .union([text, z.array(text), z.number(), z.boolean()], {
      error: 'Text, a number, or yes or no.',
    })
    .optional();
  return Object.fromEntries(
    Object.entries(fields).map(([key, { meta }]) => [key, loose.meta({ field: meta })]),
  );
}

/**
 * The form that grows with the chosen source. Its fields are checked as a whole and not one by one:
 * a value left over in a field that is hidden now must not keep the form from being sent.
 */
export const input = z
  .strictObject({
    service: z
      .string({ error: 'Choose a service.' })
      .trim()
      .min(1, 'Choose a service.')
      .max(100, 'At most 100 characters.')
      .meta({ field: { label: 'Service', widget: 'service', placeholder: 'Choose a service' } }),
    ...typed(NAME_FIELD),
    sourceKind: z
      .enum(SOURCE_KINDS, { error: `One of ${SOURCE_KINDS.join(', ')}.` })
      .optional()
      .meta({
        field: {
          label: 'Source',
          choices: SOURCE_KINDS.map((value) => ({ value, label: SOURCE_LABELS[value] })),
          hint: 'The fields below follow this choice.',
        },
      }),
    ...typed(PIPE_FIELDS),
    definition: z
      .union([z.string(), z.array(z.string())], { error: 'YAML or JSON text.' })
      .optional()
      .meta({
        field: {
          label: 'Paste a definition',
          widget: 'lines',
          placeholder: 'name: orders',
          hint:
            'Instead of the fields, or with them: YAML or JSON with the keys of the API. Filled ' +
            'fields win over it. Credentials by name only, as in credentials: kafka-prod.',
          secret: true,
        },
      }),
  })
  .superRefine(
    (raw, context) => {
      for (const { field, message } of readDraft(raw).issues) {
        context.addIssue({ code: 'custom', path: [field], message });
      }
    },
    { when: () => true },
  );

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
  makes: ({ name }) => name,
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
