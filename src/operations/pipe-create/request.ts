import { AppError } from '../../core/cloud/errors.ts';
import type { CreatePipeRequest } from '../../core/cloud/pipe.ts';
import type { AccessKey, UserPassword } from '../../core/cloud/pipe-sources.ts';
import type { Credentials } from '../../core/ports/ports.ts';
import type { PipeDefinition } from './pipe-definition.ts';

type Source = NonNullable<PipeDefinition['source']>;
type Resolve = Pick<Credentials, 'values'>;

/** A named credential that a pipe uses, and the values that it must hold. */
export type Need = {
  readonly path: string;
  readonly name: string;
  readonly keys: readonly string[];
};

const LOGIN = ['username', 'password'] as const;
const KEY = ['accessKeyId', 'secretKey'] as const;

/** Every credential that a pipe names, so that it can be judged before anything is sent. */
export function credentialNeeds({ source = {} }: PipeDefinition): readonly Need[] {
  const { kafka, kinesis, objectStorage, postgres } = source;
  const needs: readonly (readonly [string, string | undefined, readonly string[]])[] = [
    ['source.kafka.credentials', kafka?.credentials, LOGIN],
    ['source.kafka.schemaRegistry.credentials', kafka?.schemaRegistry?.credentials, LOGIN],
    ['source.kinesis.accessKey', kinesis?.accessKey, KEY],
    ['source.objectStorage.accessKey', objectStorage?.accessKey, KEY],
    [
      'source.objectStorage.connectionString',
      objectStorage?.connectionString,
      ['connectionString'],
    ],
    ['source.postgres.credentials', postgres?.credentials, LOGIN],
  ];
  return needs.flatMap(([path, name, keys]) => (name === undefined ? [] : [{ path, name, keys }]));
}

/**
 * The request with every named credential in place; it must not outlive the call. Throws AppError
 * `not-configured` where a name or a value of it is gone since it was planned. Spec: Pipe.
 */
export function toRequest(pipe: PipeDefinition, credentials: Resolve): CreatePipeRequest {
  const { source, ...rest } = pipe;
  return source === undefined ? rest : { ...rest, source: toSource(source, credentials) };
}

function toSource(source: Source, from: Resolve): NonNullable<CreatePipeRequest['source']> {
  const { kafka, kinesis, objectStorage, postgres, ...rest } = source;
  return {
    ...rest,
    ...(kafka === undefined ? {} : { kafka: toKafka(kafka, from) }),
    ...(kinesis === undefined ? {} : { kinesis: withKey(kinesis, from) }),
    ...(objectStorage === undefined ? {} : { objectStorage: toFiles(objectStorage, from) }),
    ...(postgres === undefined ? {} : { postgres: withLogin(postgres, from) }),
  };
}

function toKafka(kafka: NonNullable<Source['kafka']>, from: Resolve) {
  const { schemaRegistry, ...rest } = kafka;
  const registry =
    schemaRegistry === undefined ? {} : { schemaRegistry: withLogin(schemaRegistry, from) };
  return { ...withLogin(rest, from), ...registry };
}

function toFiles(files: NonNullable<Source['objectStorage']>, from: Resolve) {
  const { connectionString, ...rest } = files;
  const keyed = withKey(rest, from);
  if (connectionString === undefined) return keyed;
  const value = valueIn(connectionString, 'connectionString', from);
  return { ...keyed, connectionString: value };
}

function withLogin<T extends { readonly credentials?: string | undefined }>(
  source: T,
  from: Resolve,
): Omit<T, 'credentials'> & { readonly credentials?: UserPassword | undefined } {
  const { credentials: name, ...rest } = source;
  if (name === undefined) return rest;
  const [username, password] = LOGIN.map((key) => valueIn(name, key, from));
  return { ...rest, credentials: { username: username ?? '', password: password ?? '' } };
}

function withKey<T extends { readonly accessKey?: string | undefined }>(
  source: T,
  from: Resolve,
): Omit<T, 'accessKey'> & { readonly accessKey?: AccessKey | undefined } {
  const { accessKey: name, ...rest } = source;
  if (name === undefined) return rest;
  const accessKeyId = valueIn(name, 'accessKeyId', from);
  return { ...rest, accessKey: { accessKeyId, secretKey: valueIn(name, 'secretKey', from) } };
}

function valueIn(name: string, key: string, from: Resolve): string {
  const value = from.values(name)[key];
  if (value !== undefined && value !== '') return value;
  throw new AppError('not-configured', {
    userMessage: `The credential ${name} holds no ${key}.`,
  });
}
