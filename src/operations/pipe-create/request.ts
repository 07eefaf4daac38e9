import { AppError } from '../../core/cloud/errors.ts';
import type { CreatePipeRequest } from '../../core/cloud/pipe.ts';
import type { Credentials } from '../../core/ports/ports.ts';
import { type Nested, valueAt, withValueAt } from './nested.ts';
import { PIPE_FIELDS, type PipeDefinition } from './pipe-definition.ts';

/** A named credential that a pipe uses, and the values that it must hold. */
export type Need = Readonly<{ path: string; name: string; keys: readonly string[] }>;

/** Every credential that a pipe names, so that it can be judged before anything is sent. */
export function credentialNeeds(pipe: PipeDefinition): readonly Need[] {
  return Object.values(PIPE_FIELDS).flatMap(({ path, holds: keys }) => {
    const name = keys && valueAt(pipe, path);
    return keys !== undefined && typeof name === 'string' ? [{ path, name, keys }] : [];
  });
}

/**
 * The request with every named credential in place; it must not outlive the call. Throws AppError
 * `not-configured` where a name or a value of it is gone since it was planned. Spec: Pipe.
 */
export function toRequest(
  pipe: PipeDefinition,
  credentials: Pick<Credentials, 'values'>,
): CreatePipeRequest;
export function toRequest(pipe: PipeDefinition, credentials: Pick<Credentials, 'values'>): Nested {
  return credentialNeeds(pipe).reduce<Nested>((request, { path, name, keys }) => {
    const values = keys.map((key) => [key, valueIn(name, key, credentials)] as const);
    // An object of the values, or the one value where the field is called as it is.
    const isItself = keys.length === 1 && path.endsWith(`.${keys[0]}`);
    return withValueAt(request, path, isItself ? values[0]?.[1] : Object.fromEntries(values));
  }, pipe);
}

function valueIn(name: string, key: string, from: Pick<Credentials, 'values'>): string {
  const value = from.values(name)[key];
  if (value !== undefined && value !== '') return value;
  throw new AppError('not-configured', {
    userMessage: `The credential ${name} holds no ${key}.`,
  });
}
