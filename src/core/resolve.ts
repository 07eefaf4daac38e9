import type { RawInput } from './card.ts';
import type { Target } from './decision.ts';
import type { Problem } from './outcome.ts';
import type { DirectoryEntry, DirectoryReads } from './ports.ts';
import { nearest } from './slash.ts';
import { bold, code, joinText, say, type Text, time } from './text.ts';
import { cleanTyped } from './typed-text.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

export function isProblem(value: object): value is Problem {
  return 'problem' in value;
}

/**
 * A service by its exact name (case aside) or its id. An id that the directory does not list is
 * taken as it is where there is one organization, or refused: the policy then judges the bare id.
 * A near miss comes back as a suggestion and is never run. Design: §3, §13.
 */
export async function resolveService(
  typed: string,
  raw: RawInput,
  field: string,
  ports: { readonly directory: DirectoryReads },
): Promise<DirectoryEntry | Problem> {
  const entries = await ports.directory.list();
  const name = cleanTyped(typed).trim();
  const same = entries.filter(
    (entry) =>
      entry.id === name.toLowerCase() ||
      cleanTyped(entry.name).trim().toLowerCase() === name.toLowerCase(),
  );
  const [found] = same;
  if (found !== undefined && same.length === 1) return found;
  if (same.length > 1) return ambiguous(name, same, field);
  if (UUID.test(name)) {
    return { problem: say`No service with the id ${code(name)} is known here. ${WAY_ON}`, field };
  }
  const near = nearest(
    name,
    entries.map((entry) => entry.name),
  );
  if (near === undefined) {
    return { problem: say`No service named ${bold(name)}. ${WAY_ON}`, field };
  }
  return {
    problem: say`No service named ${bold(name)}. Did you mean ${bold(near)}?`,
    field,
    suggestion: { label: `Use ${near}`, input: { ...raw, [field]: near } },
  };
}

const WAY_ON = say`${code('services')} lists those that Steward knows.`;

function ambiguous(name: string, entries: readonly DirectoryEntry[], field: string): Problem {
  const ids = joinText(
    entries.map((entry) => code(entry.id)),
    ', ',
  );
  return {
    problem: say`${bold(name)} is the name of several services; type the id: ${ids}.`,
    field,
  };
}

export function serviceTarget(entry: DirectoryEntry): Target {
  const { id, name, organization, tags } = entry;
  return { kind: 'service', id, name, organization, tags };
}

/** `dev · last reported running, 10:02`; without a report it says so. */
export function standing(entry: DirectoryEntry): Text {
  const tags = entry.tags.length === 0 ? [] : say`${entry.tags.join(', ')} · `;
  if (entry.state === undefined) return say`${tags}${entry.organization} · no state reported yet`;
  const at = entry.stateAt === undefined ? [] : say`, ${time(entry.stateAt, 'time')}`;
  return say`${tags}last reported ${code(entry.state)}${at}`;
}

/** The name in what was typed, for sentences before anything is resolved; cut to 60 characters. */
export function typedName(raw: RawInput, field: string, fallback: string): Text {
  const value = raw[field];
  return typeof value === 'string' && value !== '' ? [bold(value.slice(0, 60))] : [fallback];
}
