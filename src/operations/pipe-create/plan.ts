import type { RawInput } from '../../core/card/card.ts';
import type { AnyCreatePipeRequest } from '../../core/cloud/clickhouse-pipe.ts';
import { AppError } from '../../core/cloud/errors.ts';
import { SOURCE_KINDS, type SourceKind } from '../../core/cloud/pipe.ts';
import { glimpse } from '../../core/operation/glimpse.ts';
import { type Context, type Double, digestOf } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { earlierRequests, type Repeated } from '../../core/operation/repeats.ts';
import {
  isProblem,
  namesOf,
  resolveService,
  type VisibilityPorts,
} from '../../core/operation/resolve.ts';
import type { JournalEntry } from '../../core/ports/journal.ts';
import type { Credentials, DirectoryEntry } from '../../core/ports/ports.ts';
import { bold, code, listText, say } from '../../core/text/text.ts';
import { nearest } from '../../core/text/typed-text.ts';
import { type Nested, valueAt, withValueAt } from './definition.ts';
import { readDraft } from './draft.ts';
import { PIPE_FORMS, type PipeDefinition, type PipeForm } from './pipe-definition.ts';

export const PIPE_CREATE = 'pipe.create';

export type PipePlan = {
  readonly entry: DirectoryEntry;
  readonly kind: SourceKind;
  readonly name: string;
  /** Credentials by name; their values are looked up when it is sent. */
  readonly pipe: PipeDefinition;
  /** Whether the cloud shows what becomes of it. */
  readonly isSeen: boolean;
  /** How the service's cloud takes it. */
  readonly form: PipeForm;
  /** Requests for a pipe of this name on this service, or for the very same. */
  readonly doubles: readonly Double[];
};

type PipePorts = VisibilityPorts &
  Pick<ReadPorts, 'credentials' | 'journal' | 'pending' | 'clock' | 'settings' | 'sights'>;

/** Equal for equal creates: what a confirmation and an approval are bound to. */
export function boundPart({ entry, pipe }: Pick<PipePlan, 'entry' | 'pipe'>): object {
  return { serviceId: entry.id, organization: entry.organization, pipe };
}

/** Resolves the service and the credentials' names, and looks for an equal create before. */
export async function planPipe(
  input: RawInput & { readonly service: string },
  ports: PipePorts,
  context: Context,
): Promise<PipePlan | Problem> {
  const about = { raw: input, field: 'service' };
  const entry = await resolveService(input.service, about, ports, context);
  if (isProblem(entry)) return entry;
  const form = PIPE_FORMS[namesOf(entry.organization, ports)];
  const draft = readDraft(input, form);
  // What was read by the form of another cloud need not fit this one.
  const [issue] = draft.issues;
  if (issue !== undefined) return { field: issue.field, problem: [issue.message] };
  const pipe = form.definition.parse(withTls(draft.values, form));
  const kind = SOURCE_KINDS.find((candidate) => pipe.source?.[candidate] !== undefined);
  if (kind === undefined) return { problem: say`The pipe has no source.`, field: 'sourceKind' };
  for (const need of credentialNeeds(pipe, form)) {
    const problem = credentialProblem(need, { input, form }, ports.credentials);
    if (problem !== undefined) return problem;
  }
  const isSeen = ports.sights.of(entry.organization) !== undefined;
  const plan = { entry, kind, name: pipe.name ?? '', pipe, form, isSeen };
  const doubles = await doublesOf(plan, ports, context);
  return { ...plan, doubles: [...doubles, ...(await namesakes(plan, ports, context))] };
}

/** Pipes of this name that the cloud lists on the service, each with its state. Spec: Sight. */
async function namesakes(
  { entry, name }: Pick<PipePlan, 'entry' | 'name'>,
  ports: PipePorts,
  context: Context,
): Promise<readonly Double[]> {
  const { organization } = entry;
  const pipes = await glimpse(
    { organization, of: 'question', look: (sight, call) => sight.pipes(entry.id, call) },
    ports,
    context,
  );
  return (pipes ?? [])
    .filter((pipe) => pipe.name?.trim() === name)
    .map(({ id, state }) => {
      const now = state === undefined ? [] : say`, ${code(state)}`;
      const text = say`A pipe ${bold(name)} is there on ${bold(entry.name)} already${now}.`;
      return { key: `pipe:${id ?? name}`, text };
    });
}

/** The cloud's own client always says of Postgres whether it speaks TLS: so does Steward, in words. */
function withTls(values: Nested, { names }: PipeForm): Nested {
  if (names !== 'clickhouse' || valueAt(values, 'source.postgres') === undefined) return values;
  return ['disableTls', 'skipCertVerification']
    .map((key) => `source.postgres.${key}`)
    .filter((path) => valueAt(values, path) === undefined)
    .reduce((into, path) => withValueAt(into, path, false), values);
}

/** The words name what is configured, never what was typed: that may be a secret. */
function credentialProblem(
  { path, name, keys }: Need,
  { input, form }: { readonly input: RawInput; readonly form: PipeForm },
  credentials: Credentials,
): Problem | undefined {
  const known = credentials.names();
  const [key = 'definition', field] =
    Object.entries(form.fields).find(([, candidate]) => candidate.path === path) ?? [];
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
function doublesOf(
  plan: Omit<PipePlan, 'doubles'>,
  ports: PipePorts,
  context: Context,
): Promise<readonly Double[]> {
  const hash = digestOf(PIPE_CREATE, boundPart(plan));
  const { id } = plan.entry;
  const repeated: Repeated = {
    operation: PIPE_CREATE,
    subject: say`The pipe ${bold(plan.name)} on ${bold(plan.entry.name)}`,
    done: 'created',
    isSame: ({ input, planHash, targets }) =>
      planHash === hash ||
      (nameIn(input) === plan.name && (targets?.some((target) => target.id === id) ?? false)),
  };
  return earlierRequests(repeated, ports, context);
}

function nameIn(input: JournalEntry['input']): string | undefined {
  const name = input['name'];
  return typeof name === 'string' ? name.trim() : undefined;
}

/** A named credential that a pipe uses, and the values that it must hold. */
type Need = Readonly<{ path: string; name: string; keys: readonly string[] }>;

/** Every credential that a pipe names, so that it can be judged before anything is sent. */
function credentialNeeds(pipe: PipeDefinition, form: PipeForm): readonly Need[] {
  return Object.values(form.fields).flatMap(({ path, holds, holdsIn }) => {
    const keys = holdsIn?.(pipe) ?? holds;
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
  form?: PipeForm,
): AnyCreatePipeRequest;
export function toRequest(
  pipe: PipeDefinition,
  credentials: Pick<Credentials, 'values'>,
  form: PipeForm = PIPE_FORMS.neutral,
): Nested {
  return credentialNeeds(pipe, form).reduce<Nested>((request, { path, name, keys }) => {
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
