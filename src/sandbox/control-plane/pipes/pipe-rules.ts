import type { Problem } from '../validation/parse-request.ts';
import type { CloudPipeRequest } from './cloud-request.ts';
import { SOURCE_KINDS, type SourceKind } from './pipe-request.ts';

type Rule = (request: CloudPipeRequest) => Problem | undefined;

/** Every rule over more than one field, in the order in which they are checked. Spec: Pipe */
export const PIPE_RULES: readonly Rule[] = [
  exactlyOneSource,
  postgresDestination,
  streamDestination,
  everyColumnIsMapped,
  mappingsAreKnown,
  objectStorageHasPlace,
];

/** The one kind of source that a request holds; call it after the rules have passed. */
export function sourceKind(request: CloudPipeRequest): SourceKind | undefined {
  return SOURCE_KINDS.find((kind) => request.source[kind] !== undefined);
}

function exactlyOneSource({ source }: CloudPipeRequest): Problem | undefined {
  const given = SOURCE_KINDS.filter((kind) => source[kind] !== undefined);
  if (given.length === 1) return undefined;
  return broken('source', `must hold exactly one of ${SOURCE_KINDS.join(', ')}`);
}

/** A database pipe replicates whole tables: it takes a database and its own table mappings only. */
function postgresDestination(request: CloudPipeRequest): Problem | undefined {
  if (request.source.postgres === undefined) return undefined;
  const words = 'is not taken by a postgres pipe';
  for (const field of ['table', 'managedTable', 'columns', 'tableDefinition'] as const) {
    if (request.destination[field] !== undefined) return broken(`destination.${field}`, words);
  }
  if (request.fieldMappings !== undefined) return broken('fieldMappings', words);
  if (request.scaling !== undefined) return broken('scaling', words);
  if (request.destination.database !== undefined) return undefined;
  return broken('destination.database', 'is required');
}

function streamDestination(request: CloudPipeRequest): Problem | undefined {
  if (request.source.postgres !== undefined) return undefined;
  for (const field of ['table', 'managedTable', 'columns'] as const) {
    if (request.destination[field] === undefined) {
      return broken(`destination.${field}`, 'is required');
    }
  }
  return undefined;
}

function everyColumnIsMapped({
  destination,
  fieldMappings,
}: CloudPipeRequest): Problem | undefined {
  const mapped = new Set(fieldMappings?.map((mapping) => mapping.destinationField));
  const missing = destination.columns?.find((column) => !mapped.has(column.name));
  if (missing === undefined) return undefined;
  return broken('fieldMappings', `must map every column, "${missing.name}" has no mapping`);
}

function mappingsAreKnown({ destination, fieldMappings }: CloudPipeRequest): Problem | undefined {
  const columns = new Set(destination.columns?.map((column) => column.name));
  const index = fieldMappings?.findIndex((mapping) => !columns.has(mapping.destinationField)) ?? -1;
  if (index < 0) return undefined;
  return broken(
    `fieldMappings.${index}.destinationField`,
    'must be the name of a column of destination.columns',
  );
}

/** Azure files are found by connection string, container and path, all others by their URL. */
function objectStorageHasPlace({ source }: CloudPipeRequest): Problem | undefined {
  const files = source.objectStorage;
  if (files === undefined || files.url !== undefined) return undefined;
  if (files.connectionString === undefined && files.azureContainerName === undefined) {
    return broken('source.objectStorage.url', 'is required');
  }
  for (const field of ['connectionString', 'azureContainerName', 'path'] as const) {
    if (files[field] === undefined) {
      return broken(`source.objectStorage.${field}`, 'is required when url is left out');
    }
  }
  return undefined;
}

function broken(path: string, words: string): Problem {
  return { path, words };
}
