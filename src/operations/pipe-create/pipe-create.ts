import { z } from 'zod';
import type { RawInput } from '../../core/card/card.ts';
import { SOURCE_KINDS } from '../../core/cloud/pipe.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Issue } from '../../core/operation/outcome.ts';
import { forEachCloud } from '../../core/operation/registry.ts';
import { serviceTarget, typedName } from '../../core/operation/resolve.ts';
import { bold, say } from '../../core/text/text.ts';
import { present, preview, unknownOutcome } from './cards.ts';
import { asFormText, readDraft } from './draft.ts';
import { NAME_FIELD, PIPE_FORMS, type PipeForm } from './pipe-definition.ts';
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
function inputOf(...forms: readonly [PipeForm, ...PipeForm[]]) {
  return z
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
      ...typed(forms[0].fields),
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
        for (const { field, message } of fewestIssues(raw, forms)) {
          context.addIssue({ code: 'custom', path: [field], message });
        }
      },
      { when: () => true },
    );
}

/** By the specification. */
export const input = inputOf(PIPE_FORMS.neutral);

/** Where both kinds of cloud are configured, the plan reads it again by that of the service. */
const INPUT = {
  neutral: input,
  clickhouse: inputOf(PIPE_FORMS.clickhouse),
  both: inputOf(PIPE_FORMS.clickhouse, PIPE_FORMS.neutral),
} as const;

/** Of the form that is nearest to what was typed. */
function fewestIssues(raw: RawInput, forms: readonly PipeForm[]): readonly Issue[] {
  const [fewest = []] = forms
    .map((form) => readDraft(raw, form).issues)
    .toSorted((one, other) => one.length - other.length);
  return fewest;
}

const CLICKHOUSE_EXAMPLE =
  'pipe analytics --name orders --source-kind kinesis --kinesis-stream-name orders --kinesis-region us-east-1 --kinesis-format JSONEachRow --kinesis-iterator-type LATEST --kinesis-authentication IAM_ROLE --kinesis-iam-role arn:aws:iam::123456789012:role/pipe --database default --table orders --managed-table true --engine-type MergeTree --columns "id UInt64; note String" --field-mappings "id -> id; note -> note"';

/**
 * `/db pipe analytics`: a form for Kafka, Kinesis, object storage and Postgres with every field of
 * the request. Spec: Pipe; Endpoints 6 (Beta). Design: §7.
 */
export const pipeCreate = forEachCloud((clouds) =>
  defineOperation({
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
        clouds === 'clickhouse'
          ? CLICKHOUSE_EXAMPLE
          : 'pipe analytics --name orders --source-kind kafka --kafka-brokers broker-1.example.com:9092 --kafka-topics orders --table orders --managed-table true --columns "id UInt64; note String" --field-mappings "id -> id; note -> note"',
      ],
    },
    input: INPUT[clouds],
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
    execute: ({ entry, pipe, form }, ports) => {
      const request = toRequest(pipe, ports.credentials, form);
      return ports.control.createPipe(entry.organization, entry.id, request);
    },
    present,
    follows: ({ id: pipeId }, { entry, name, isSeen }, { approvedBy }) =>
      isSeen && pipeId !== undefined
        ? {
            ...{ command: 'pipe', name, pipeId, approvedBy },
            ...{ organization: entry.organization, serviceId: entry.id },
          }
        : undefined,
  }),
);
