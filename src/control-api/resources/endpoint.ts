import type { QueryEndpointRecord } from '../../core/cloud/records.ts';
import { fieldsOf, listOf, pick, text } from '../lenient.ts';

const texts = listOf(text);

/** Spec: Service query endpoint settings. */
export function readQueryEndpoint(value: unknown): QueryEndpointRecord | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  return pick<QueryEndpointRecord>(source, {
    id: text,
    // One text by the specification; a list is joined as the text would be.
    allowedOrigins: (origins) => text(origins) ?? text(texts(origins)?.join(',')),
    openApiKeys: texts,
    roles: texts,
  });
}
