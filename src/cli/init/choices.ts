import type { Chosen } from '../../config/edit-files.ts';
import { AppError } from '../../core/cloud/errors.ts';
import { didYouMean } from '../../core/text/typed-text.ts';
import { type Answering, keyVariables, type Organization, type Recipe } from './answering.ts';
import { uuidFault } from './questions.ts';
import { servicesOf } from './services.ts';
import type { Named } from './slack.ts';

export const RECIPES: readonly Recipe[] = [
  {
    file: 'small-team',
    label: 'A small team that trusts each other',
    people: 'team',
    services: true,
    audit: false,
  },
  {
    file: 'platform-team',
    label: 'A platform team; production waits for a second person',
    people: 'operators',
    approvers: 'leads',
    services: true,
    audit: true,
  },
  {
    file: 'finance-only',
    label: 'Costs and their daily summary, nothing else',
    people: 'finance',
    services: false,
    audit: false,
  },
  {
    file: 'read-only',
    label: 'Everybody may look, nobody may change anything',
    services: true,
    audit: false,
  },
  {
    file: 'several-organizations',
    label: 'Several organizations, each with its channel, its people and its key',
    people: 'team',
    services: true,
    audit: false,
    several: true,
  },
];

export async function recipeOf({
  flags,
  asker,
}: Pick<Answering, 'flags' | 'asker'>): Promise<Recipe> {
  const typed =
    flags.recipe ??
    (await asker?.one(
      'Which rules to begin with?',
      RECIPES.map(({ file, label }) => ({ value: file, label })),
    ));
  const found = RECIPES.find(({ file }) => file === typed);
  if (found !== undefined) return found;
  const names = RECIPES.map(({ file }) => file);
  throw new AppError('invalid', {
    userMessage: `There is no recipe ${typed ?? ''}${didYouMean(typed ?? '', names)}. There is: ${names.join(', ')}.`,
  });
}

/** Those of the recipe for several, typed or asked for until one is left empty. */
export async function organizationsOf(
  recipe: Recipe,
  { flags, asker }: Pick<Answering, 'flags' | 'asker'>,
): Promise<readonly Organization[]> {
  if (recipe.several !== true) return [];
  if (flags.organization !== undefined) return flags.organization.map(typedOrganization);
  const found: Organization[] = [];
  while (asker !== undefined) {
    const more = found.length === 0 ? '' : ' (none: leave empty)';
    const fault = (name: string) => nameFault(name, found.length > 0);
    const name = await asker.text({ message: `Name of an organization${more}`, fault });
    if (name === '') break;
    const id = await asker.text({ message: `Id of ${name}`, example: 'a UUID', fault: uuidFault });
    found.push({ name, id });
  }
  return found;
}

function nameFault(name: string, mayBeEmpty: boolean): string | undefined {
  if (name === '' && mayBeEmpty) return undefined;
  return NAME.test(name) ? undefined : 'a name has small letters, digits and dashes';
}

const NAME = /^[a-z][a-z0-9-]{0,40}$/u;

function typedOrganization(typed: string): Organization {
  const [name = '', id = ''] = typed.split('=');
  if (NAME.test(name) && uuidFault(id) === undefined) return { name, id };
  throw new AppError('invalid', { userMessage: `--organization takes NAME=UUID, not ${typed}.` });
}

export async function choose(answering: Answering): Promise<Chosen> {
  const { flags, lists, recipe, organizations } = answering;
  const everybody = [...lists.groups, ...lists.people];
  const pick = (ask: Omit<Choosing, 'answering'>) => picked({ ...ask, answering });
  const of = organizations.length === 0 ? '' : ` One for each of ${namesOf(organizations)}.`;
  const channels = await pick({
    what: 'channel',
    typed: flags.channel,
    from: lists.channels,
    message: `In which channels shall it work?${of}`,
    needed: true,
  });
  if (organizations.length > 0 && channels.length !== organizations.length) {
    const userMessage = `Give one channel for each organization, in the order of ${namesOf(organizations)}.`;
    throw new AppError('invalid', { userMessage });
  }
  const groups: Record<string, Chosen['groups'][string]> = {};
  if (recipe.people !== undefined) {
    const message = recipe.approvers === undefined ? 'Who may act?' : 'Who may ask?';
    const people = { what: 'person', typed: flags.people, from: everybody, message, needed: true };
    const members = membersOf(await pick(people));
    if (organizations.length === 0) groups[recipe.people] = members;
    for (const { name } of organizations) groups[`${name}-${recipe.people}`] = members;
  }
  if (recipe.approvers !== undefined) {
    groups[recipe.approvers] = membersOf(
      await pick({
        what: 'person',
        typed: flags.approvers,
        from: everybody,
        message: 'Who approves? At least one who does not ask.',
        needed: true,
      }),
    );
  }
  const audit = recipe.audit
    ? await pick({
        what: 'channel',
        typed: flags.audit === undefined ? undefined : [flags.audit],
        from: lists.channels,
        message: 'A channel for the audit trail (none: leave empty)',
        needed: false,
      })
    : [];
  return {
    workspace: lists.workspace.id,
    organizations: organizations.map(({ name, id }) => ({ name, id, key: keyVariables(name) })),
    channels: channels.map(({ id, name }) => ({ id, name: plainName(name) })),
    groups,
    services: recipe.services ? await servicesOf(answering) : [],
    audit: audit[0]?.id,
  };
}

function namesOf(organizations: readonly Organization[]): string {
  return organizations.map(({ name }) => name).join(', ');
}

type Choosing = {
  readonly what: string;
  readonly typed: readonly string[] | undefined;
  readonly from: readonly Named[];
  readonly message: string;
  readonly needed: boolean;
  readonly answering: Answering;
};

async function picked({
  what,
  typed,
  from,
  message,
  needed,
  answering,
}: Choosing): Promise<readonly Named[]> {
  if (typed !== undefined) return typed.map((one) => named(what, one, from));
  const { asker } = answering;
  if (asker === undefined) return [];
  const choices = from.map(({ id, name, hint }) => ({
    value: id,
    label: name,
    ...(hint === undefined ? {} : { hint }),
  }));
  const ids = await asker.several(message, choices, needed);
  return from.filter(({ id }) => ids.includes(id));
}

/** By name, with or without `#` and `@`, or by id. */
function named(what: string, typed: string, from: readonly Named[]): Named {
  const wanted = typed.replace(/^[#@]/u, '').toLowerCase();
  const found = from.filter(
    ({ id, name }) => id === typed || plainName(name).toLowerCase() === wanted,
  );
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const names = from.map(({ name }) => plainName(name));
  const userMessage =
    first === undefined
      ? `There is no ${what} ${typed} in the workspace${didYouMean(wanted, names) || '.'}`
      : `There are ${found.length} called ${typed}: give an id, ${found.map(({ id }) => id).join(' or ')}.`;
  throw new AppError('invalid', { userMessage });
}

function plainName(name: string): string {
  return name.replace(/^[#@]/u, '');
}

function membersOf(found: readonly Named[]): Chosen['groups'][string] {
  const isGroup = ({ id }: Named): boolean => id.startsWith('S');
  return {
    users: found.filter((one) => !isGroup(one)).map(({ id }) => id),
    usergroups: found.filter(isGroup).map(({ id }) => id),
  };
}
