import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { AppError, toAppError } from '../../core/cloud/errors.ts';
import type { QueryEndpointRecord } from '../../core/cloud/records.ts';
import { serviceField } from '../../core/operation/fields.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import {
  isProblem,
  resolveService,
  serviceTarget,
  typedName,
} from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { bold, code, counted, joinText, say, type Text } from '../../core/text/text.ts';

const input = z.strictObject({
  service: serviceField,
});

type Plan = { readonly entry: DirectoryEntry };

/** `/db endpoint analytics`. Spec: Endpoints 5 (experimental). */
export const queryEndpointRead = defineOperation({
  id: 'query-endpoint.read',
  summary: 'Show the query endpoint of a service',
  title: 'Query endpoint',
  risk: 'read',
  badge: 'Experimental',
  slash: { words: ['endpoint'], positional: ['service'], examples: ['endpoint analytics'] },
  input,
  refused: (raw) =>
    say`The query endpoint of ${typedName(raw, 'service', 'the service')} was not read`,
  plan: async ({ service }, ports, context) => {
    const about = { raw: { service }, field: 'service' };
    const entry = await resolveService(service, about, ports, context);
    return isProblem(entry) ? entry : { entry };
  },
  targets: ({ entry }) => [serviceTarget(entry)],
  execute: async ({ entry }: Plan, ports) => {
    try {
      return await ports.control.queryEndpoint(entry.organization, entry.id);
    } catch (thrown) {
      throw inPlainWords(toAppError(thrown), entry);
    }
  },
  present: (record, { entry }) => present(record, entry),
});

/** No endpoint and no service are answered alike: both are said. Facts: Query endpoints. */
function inPlainWords(error: AppError, entry: DirectoryEntry): AppError {
  if (error.code !== 'not-found') return error;
  return new AppError('not-found', {
    userMessage: say`it is not enabled, or the service was not found; the API answers both alike. Support has to enable query endpoints. Looked for ${code(entry.id)}.`,
    requestId: error.requestId,
    status: error.status,
    cause: error,
  });
}

function present(record: QueryEndpointRecord, entry: DirectoryEntry): Card {
  const { id, openApiKeys: keys = [] } = record;
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: say`The query endpoint of ${bold(entry.name)} is set up${whoMayUse(record)}.`,
    facts: [
      { label: 'Roles', value: listed(record.roles ?? []) },
      { label: 'Allowed origins', value: listed(originsOf(record)) },
    ],
    context: say`Experimental: it works only where support has enabled it.`,
    details: [
      ...(keys.length === 0 ? [] : [{ label: 'Key ids', value: listed(keys) }]),
      ...(id === undefined ? [] : [{ label: 'Endpoint id', value: [code(id)] }]),
      { label: 'Service id', value: [code(entry.id)] },
    ],
  };
}

/** Keys that were not reported are not counted as none. */
function whoMayUse({ openApiKeys: keys }: QueryEndpointRecord): string {
  if (keys === undefined) return '; the API did not say which keys may use it';
  return `: ${counted(keys.length, 'key')} may use it`;
}

/** One text on the wire, separated by commas. */
function originsOf({ allowedOrigins = '' }: QueryEndpointRecord): readonly string[] {
  return allowedOrigins
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
}

function listed(values: readonly string[]): Text {
  return values.length === 0 ? ['none'] : joinText(values.map(code), ', ');
}
