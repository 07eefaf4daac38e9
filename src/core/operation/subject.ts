import type { RawInput } from '../card/card.ts';
import type { Target } from '../ports/decision.ts';
import { bold, joinText, listText, say, type Text } from '../text/text.ts';
import type { OperationInfo } from './ports.ts';

const LONGEST = 80;

type Subject = {
  readonly targets: readonly Pick<Target, 'kind' | 'name'>[];
  readonly input: RawInput;
  /** The name or address of what it asks to make. */
  readonly makes?: string | undefined;
};

/**
 * What a request is about, for a line of the journal or of the audit channel: the names of its
 * services, and what it makes or addresses, as `**orders** on **analytics**` or
 * `**fay@example.com** in acme`. Empty where nothing of it is known. `makes` wins over what was
 * typed: a definition that was pasted has the name in it.
 */
export function subjectText(
  { slash, fields }: Pick<OperationInfo, 'slash' | 'fields'>,
  { targets, input, makes }: Subject,
): Text {
  const services = targets.filter(({ kind }) => kind !== 'organization').map(({ name }) => name);
  const keys = new Set([slash.positional[0], 'name']);
  const typed = fields
    .filter(({ key, widget, secret }) => keys.has(key) && secret !== true && widget !== 'person')
    // A service is named by what it turned out to be.
    .filter(({ widget }) => widget !== 'service' || targets.length === 0)
    .flatMap(({ key }) => textOf(input[key]));
  const made = (makes === undefined ? typed : textOf(makes)).filter(
    (name) => !services.includes(name),
  );
  const on = targets.map(({ kind, name }) => (kind === 'organization' ? name : bold(name)));
  if (made.length === 0) return joinText(on, ', ');
  const names = listText(made.map(bold));
  if (on.length === 0) return names;
  return say`${names} ${services.length === 0 ? 'in' : 'on'} ${joinText(on, ', ')}`;
}

function textOf(value: unknown): readonly string[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  return [value.trim().slice(0, LONGEST)];
}
