import type { RawInput } from '../../core/card.ts';
import type { JournalEntry } from '../../core/journal.ts';
import { digestOf } from '../../core/operation.ts';
import type { ReadPorts } from '../../core/operation-ports.ts';
import type { Problem } from '../../core/outcome.ts';
import type { Credentials, DirectoryEntry } from '../../core/ports.ts';
import { isProblem, resolveService } from '../../core/resolve.ts';
import { nearest } from '../../core/slash.ts';
import { bold, code, listText, say, time, user } from '../../core/text.ts';
import { PIPE_FIELDS } from './all-fields.ts';
import { NAME_FIELD, readDraft } from './draft.ts';
import { SOURCE_KINDS, type SourceKind } from './kinds.ts';
import { type PipeDefinition, pipeDefinition } from './pipe-definition.ts';
import { credentialNeeds, type Need } from './request.ts';

export const PIPE_CREATE = 'pipe.create';

/** How long an equal create asks first. Design: §8. */
const RECENT_MINUTES = 10;

export type PipePlan = {
  readonly entry: DirectoryEntry;
  readonly kind: SourceKind;
  readonly name: string;
  /** Credentials by name; their values are looked up when it is sent. */
  readonly pipe: PipeDefinition;
};

/** Equal for equal creates: what a confirmation and an approval are bound to. */
export function boundPart({ entry, pipe }: PipePlan): object {
  return { serviceId: entry.id, organization: entry.organization, pipe };
}

/** Resolves the service and the credentials' names, and looks for an equal create just before. */
export async function planPipe(
  input: RawInput & { readonly service: string },
  ports: Pick<ReadPorts, 'directory' | 'credentials' | 'journal' | 'clock'>,
): Promise<PipePlan | Problem> {
  const entry = await resolveService(input.service, input, 'service', ports);
  if (isProblem(entry)) return entry;
  const pipe = pipeDefinition.parse(readDraft(input).values);
  const kind = SOURCE_KINDS.find((candidate) => pipe.source?.[candidate] !== undefined);
  if (kind === undefined) return { problem: say`The pipe has no source.`, field: 'sourceKind' };
  for (const need of credentialNeeds(pipe)) {
    const problem = credentialProblem(need, input, ports.credentials);
    if (problem !== undefined) return problem;
  }
  const plan = { entry, kind, name: pipe.name ?? '', pipe };
  return (await createdJustNow(plan, input, ports)) ?? plan;
}

/** The words name what is configured, never what was typed: that may be a secret. */
function credentialProblem(
  { path, name, keys }: Need,
  input: RawInput,
  credentials: Credentials,
): Problem | undefined {
  const known = credentials.names();
  const [key = 'definition', field] =
    Object.entries(PIPE_FIELDS).find(([, candidate]) => candidate.path === path) ?? [];
  const isTyped = input[key] !== undefined;
  const label = field?.meta.label ?? 'Credentials';
  if (!known.includes(name)) {
    const near = isTyped ? nearest(name, known) : undefined;
    const choice = known.length === 0 ? 'none yet' : listText(known.map(bold), 'or');
    return {
      field: isTyped ? key : 'definition',
      problem: say`${label}: no entry of that name under ${code('credentials:')} in ${code('steward.yaml')}. There: ${choice}.`,
      ...(near === undefined
        ? {}
        : { suggestion: { label: `Use ${near}`, input: { ...input, [key]: near } } }),
    };
  }
  const values = credentials.values(name);
  const lacking = keys.filter((wanted) => (values[wanted] ?? '') === '');
  if (lacking.length === 0) return undefined;
  return {
    field: isTyped ? key : 'definition',
    problem: say`${label}: ${bold(name)} holds no ${listText(lacking.map(code))} in ${code('steward.yaml')}.`,
  };
}

/** A name in a pasted definition is not journaled, but its plan's hash is. */
async function createdJustNow(
  plan: PipePlan,
  input: RawInput,
  { journal, clock }: Pick<ReadPorts, 'journal' | 'clock'>,
): Promise<Problem | undefined> {
  if (input['again'] === 'yes') return undefined;
  const since = clock.now().minus({ minutes: RECENT_MINUTES }).toISO() ?? '';
  const filter = { operation: PIPE_CREATE, serviceId: plan.entry.id, since };
  const hash = digestOf(PIPE_CREATE, boundPart(plan));
  const earlier = (await journal.find(filter)).find(
    (entry) =>
      (entry.outcome === 'done' || entry.outcome === 'unknown') &&
      (nameIn(entry) === plan.name || entry.planHash === hash),
  );
  if (earlier === undefined) return undefined;
  const verb = earlier.outcome === 'done' ? 'was created' : 'may have been created';
  return {
    field: NAME_FIELD.path,
    problem: say`A pipe named ${bold(plan.name)} ${verb} on ${bold(plan.entry.name)} at ${time(earlier.openedAt, 'time')} by ${user(earlier.actor.userId)}, journal ${earlier.number}. A second one is billed as well.`,
    suggestion: { label: 'Create another one', input: { ...input, again: 'yes' } },
  };
}

function nameIn({ input }: JournalEntry): string | undefined {
  const name = input['name'];
  return typeof name === 'string' ? name.trim() : undefined;
}
