import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Schema = Readonly<Record<string, unknown>>;
type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
};
type Content = { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
type Described = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Schema;
};

const FILE = new URL('../fixtures/clickhouse-cloud.openapi.json', import.meta.url);
const document = closed(JSON.parse(readFileSync(FILE, 'utf8'))) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'cloud', components: document.components });

/** Every object takes the keys that the document lists and no other. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, closed(entry)] as const);
  const isObject = 'properties' in value && typeof value.properties === 'object';
  return { ...Object.fromEntries(entries), ...(isObject ? { additionalProperties: false } : {}) };
}

export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
};

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    described,
    check: new Map<string, ValidateFunction>(),
  })),
);

/** `GET /v1/organizations` and so on, of the document or of the exchange; undefined when it is not there. */
function operationOf({ method, path }: Pick<Exchange, 'method' | 'path'>) {
  return OPERATIONS.find((one) => one.method === method && one.pattern.test(path));
}

export const CLOUD_OPERATIONS = OPERATIONS.map((operation) => operation.name);

/** What of a request the document does not describe; empty when all is well. */
export function requestProblems(exchange: Exchange): readonly string[] {
  const operation = operationOf(exchange);
  if (operation === undefined) return [`no ${exchange.method} ${exchange.path}`];
  const { parameters = [], requestBody } = operation.described;
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const unknown = Object.keys(exchange.query).filter(
    (name) => !named.some((parameter) => parameter.name === name),
  );
  const values = [...(operation.pattern.exec(exchange.path) ?? [])].slice(1);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return [
    ...unknown.map((name) => `unknown query parameter ${name}`),
    ...named.flatMap((parameter) => {
      const value = exchange.query[parameter.name];
      if (value === undefined) return parameter.required ? [`${parameter.name} is missing`] : [];
      const given = parameter.schema['type'] === 'array' ? [value] : value;
      return problems(operation, parameter.name, parameter.schema, given);
    }),
    ...inPath.flatMap((parameter, index) =>
      problems(operation, parameter.name, parameter.schema, values[index]),
    ),
    ...(requestBody === undefined
      ? exchange.body === undefined
        ? []
        : ['a body where none is taken']
      : problems(operation, 'body', schemaOf(requestBody), exchange.body)),
  ];
}

/** The same of an answer. */
export function answerProblems(
  exchange: Pick<Exchange, 'method' | 'path'>,
  status: number,
  json: unknown,
): readonly string[] {
  const operation = operationOf(exchange);
  if (operation === undefined) return [`no ${exchange.method} ${exchange.path}`];
  const { responses } = operation.described;
  // Of all that go wrong for the client the document describes one: they have one shape.
  const content = responses[String(status)] ?? (status < 500 ? responses['400'] : responses['500']);
  if (content === undefined) return [`no answer ${status}`];
  return problems(operation, `answer ${status}`, schemaOf(content), json);
}

function schemaOf(content: Content): Schema {
  return content.content['application/json'].schema;
}

function problems(
  operation: (typeof OPERATIONS)[number],
  name: string,
  schema: Schema,
  value: unknown,
): readonly string[] {
  let check = operation.check.get(name);
  if (check === undefined) {
    check = ajv.compile(rooted(schema) as Schema);
    operation.check.set(name, check);
  }
  if (check(value)) return [];
  return (check.errors ?? []).map(
    (error) =>
      `${operation.name}: ${name}${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

function rooted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rooted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === '$ref' ? `cloud${String(entry)}` : rooted(entry),
    ]),
  );
}
