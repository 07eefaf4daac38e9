import type { RawInput } from '../card/card.ts';
import type { CurrentSettings, NamesMode, Settings } from '../settings/settings.ts';
import { code, say } from '../text/text.ts';
import { nearest } from '../text/typed-text.ts';
import type { Context, Operation } from './operation.ts';
import type { Problem } from './outcome.ts';
import type { OperationInfo, ReadPorts } from './ports.ts';

export type Registry = {
  readonly operations: readonly Operation[];
  /** Throws TypeError for an id that is not in the list: ids come from our own payloads. */
  get(id: string): Operation;
  find(id: string): Operation | undefined;
};

/**
 * The explicit list as a registry, each operation as the settings now in force have it; without
 * settings by the specification. Throws TypeError when two share an id or their slash words.
 */
export function createRegistry(
  operations: readonly Operation[],
  settings?: CurrentSettings,
): Registry {
  const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));
  const words = new Set(operations.map((operation) => operation.slash.words.join(' ')));
  if (byId.size < operations.length) throw new TypeError('Two operations share an id.');
  if (words.size < operations.length) throw new TypeError('Two operations share slash words.');
  const all = (): readonly Operation[] =>
    settings === undefined ? operations : operationsFor(operations, settings.get());
  const find = (id: string): Operation | undefined => {
    const operation = byId.get(id);
    if (operation === undefined || settings === undefined) return operation;
    return operationsFor([operation], settings.get())[0];
  };
  return {
    get operations() {
      return all();
    },
    find,
    get: (id) => {
      const operation = find(id);
      if (operation === undefined) throw new TypeError(`No operation has the id ${id}.`);
      return operation;
    },
  };
}

type Wanted = {
  readonly field: string;
  /** A command is named by its words alone, an action by its id as well. */
  readonly as: 'command' | 'action';
  /** The button that takes the nearest name; none where it is not given. */
  readonly suggest?:
    | ((near: string) => { readonly label: string; readonly input: RawInput })
    | undefined;
};

/** An operation by its words or its id, as typed; what is not known comes back as a problem. */
export function operationNamed(
  typed: string,
  catalogue: readonly OperationInfo[],
  { field, as, suggest }: Wanted,
): OperationInfo | Problem {
  const wanted = typed.toLowerCase();
  const words = ({ slash }: OperationInfo): string => slash.words.join(' ');
  const found =
    catalogue.find((info) => info.id === wanted || words(info) === wanted) ??
    catalogue.find(({ slash }) => slash.also === wanted);
  if (found !== undefined) return found;
  const near = nearest(
    wanted,
    catalogue.flatMap((info) => (as === 'action' ? [info.id, words(info)] : [words(info)])),
  );
  const hint = near === undefined ? [] : say` Did you mean ${code(near)}?`;
  const suggestion = near === undefined ? undefined : suggest?.(near);
  return { field, problem: say`There is no ${as} ${code(typed)}.${hint}`, suggestion };
}

export type AllowedHere = {
  readonly operations: readonly OperationInfo[];
  /** Slack did not say all that the rules ask for: there may be more. */
  readonly unsure: boolean;
};

/** For the end of a list that may be too short. */
export const PERHAPS_MORE = say`Slack did not say everything that the rules ask for, so something may be missing here; ask again in a moment.`;

/**
 * The operations that this person may ask for in this place, in the list's order, by the policy's
 * own function: help, menu and App Home show nothing else. Design: §5.
 */
export async function allowedHere(
  ports: Pick<ReadPorts, 'policy' | 'catalogue'>,
  context: Pick<Context, 'actor' | 'place'>,
): Promise<AllowedHere> {
  const { catalogue, policy } = ports;
  const questions = catalogue.map(({ id, risk, open }) => ({ action: id, risk, open }));
  const answers = await policy.allowed(context.actor, context.place, questions);
  return {
    operations: catalogue.filter((_operation, index) => answers[index] === 'yes'),
    unsure: answers.includes('unknown'),
  };
}

/** How the configured organizations' clouds speak; `both`: some so, and some so. */
export type Clouds = NamesMode | 'both';

/** An operation whose input follows from how the clouds speak: declared once, made for each way. */
export function forEachCloud(define: (clouds: Clouds) => Operation): Operation {
  const inClouds = { clickhouse: define('clickhouse'), both: define('both') };
  return { ...define('neutral'), inClouds };
}

/** The operations that these settings have. Spec: ClickHouse spellings. */
export function operationsFor(
  operations: readonly Operation[],
  settings: Pick<Settings, 'organizations'>,
): readonly Operation[] {
  return operations
    .filter(({ onlyIn }) => onlyIn === undefined || speaks(settings, onlyIn))
    .map((operation) => operationFor(operation, settings));
}

function speaks({ organizations }: Pick<Settings, 'organizations'>, mode: NamesMode): boolean {
  return organizations.some(({ names }) => names === mode);
}

/** An operation as it is with these settings. */
function operationFor(
  operation: Operation,
  { organizations }: Pick<Settings, 'organizations'>,
): Operation {
  const spoken = new Set(organizations.map(({ names }) => names));
  if (!spoken.has('clickhouse')) return operation;
  return operation.inClouds?.[spoken.has('neutral') ? 'both' : 'clickhouse'] ?? operation;
}
