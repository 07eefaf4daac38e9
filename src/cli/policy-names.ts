import { AppError } from '../core/cloud/errors.ts';
import type { Target } from '../core/ports/decision.ts';
import type { Settings } from '../core/settings/settings.ts';
import { nearest } from '../core/text/typed-text.ts';
import { operations } from '../operations/index.ts';

/** Names that an operator types, found in the rules. Each throws AppError `invalid` with the nearest. */

export function channelOf(typed: string, { channels }: Settings): Settings['channels'][number] {
  const wanted = typed.replace(/^#/u, '');
  const found = channels.find(({ name, id }) => name === wanted || id === wanted);
  if (found !== undefined) return found;
  throw unknown('channel', typed, channels.map(nameOf));
}

export function operationOf(typed: string): (typeof operations)[number] {
  const wanted = typed.toLowerCase();
  const found = operations.find(
    ({ id, slash }) => id === wanted || slash.words.join(' ') === wanted,
  );
  if (found !== undefined) return found;
  throw unknown(
    'action',
    typed,
    operations.map(({ id }) => id),
  );
}

export function serviceOf(typed: string, { services }: Settings): Target {
  const found = services.find(({ name, id }) => name === typed || id === typed);
  if (found !== undefined) return { kind: 'service', ...found };
  throw unknown('service', typed, services.map(nameOf));
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function unknown(kind: string, typed: string, names: readonly string[]): AppError {
  const near = nearest(typed, names);
  const hint = near === undefined ? `It has: ${names.join(', ')}.` : `Did you mean ${near}?`;
  return new AppError('invalid', {
    userMessage: `steward.yaml has no ${kind} ${typed}. ${hint}`,
  });
}
