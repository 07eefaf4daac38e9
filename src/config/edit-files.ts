import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Document, isMap, isSeq, parseDocument, YAMLMap } from 'yaml';

/** What `steward init` puts into the rules: ids by the names that people chose. */
export type Chosen = {
  readonly workspace: string;
  /** Empty where the environment names the one; `key`: the variables of its key. */
  readonly organizations: readonly {
    readonly name: string;
    readonly id: string;
    readonly key: { readonly id: string; readonly secret: string };
  }[];
  /** With several organizations one for each, in their order. */
  readonly channels: readonly { readonly name: string; readonly id: string }[];
  readonly groups: Readonly<
    Record<string, { readonly users: readonly string[]; readonly usergroups: readonly string[] }>
  >;
  readonly services: readonly {
    readonly name: string;
    readonly id: string;
    readonly tags: readonly string[];
    readonly organization?: string | undefined;
  }[];
  readonly audit: string | undefined;
};

export type EditedRules = { readonly text: string; readonly changes: readonly string[] };

const HEADER = / \$schema=\S+/u;
/** Wherever the rules are kept: an editor takes an address as well. */
const SCHEMA = ' $schema=docs/steward.schema.json';

/**
 * The rules of a recipe with the ids of those who use it. The recipe's comments and rules stay; its
 * one channel stands once for each that was chosen.
 */
export function rulesFromRecipe(recipe: string, chosen: Chosen): EditedRules {
  const document = parseDocument(recipe.replace(HEADER, SCHEMA));
  document.setIn(['slack', 'workspaces'], inline(document, [chosen.workspace]));
  setOrganizations(document, chosen);
  if (document.has('services')) document.delete('services');
  if (chosen.services.length > 0) document.set('services', servicesOf(document, chosen));
  for (const [name, members] of Object.entries(chosen.groups)) {
    document.setIn(['groups', name], inline(document, membersOf(members)));
  }
  setChannels(document, chosen);
  const untagged = leaveOutUntagged(document, chosen);
  if (chosen.audit === undefined) document.delete('audit');
  else document.set('audit', inline(document, { channel: chosen.audit }));
  return {
    text: String(document),
    changes: [
      `channels: ${chosen.channels.map(({ name }) => name).join(', ')}`,
      ...Object.keys(chosen.groups).map((name) => `group ${name}`),
      ...(chosen.services.length === 0 ? [] : [`services: ${chosen.services.length}`]),
      ...untagged.map((tag) => `without the rules for ${tag}, which no service has yet`),
    ],
  };
}

/** A rule for a tag that no service has is a fault of the file; it comes back with the tag. */
function leaveOutUntagged(document: Document, { services }: Chosen): readonly string[] {
  const tags = new Set(services.flatMap((service) => service.tags.map((tag) => `tag:${tag}`)));
  const missing = new Set<string>();
  const isUseless = (rule: unknown): boolean => {
    const named = isMap(rule) ? rule.get('services') : undefined;
    if (!isSeq(named)) return false;
    const unknown = named.items
      .map(String)
      .filter((one) => one.startsWith('tag:') && !tags.has(one));
    for (const one of unknown) missing.add(one);
    return unknown.length === named.items.length;
  };
  const channels = document.get('channels');
  for (const { value } of isMap(channels) ? channels.items : []) {
    const rules = isMap(value) ? value.get('allow') : undefined;
    if (isSeq(rules)) rules.items = rules.items.filter((rule) => !isUseless(rule));
  }
  return [...missing];
}

function setOrganizations(document: Document, { organizations }: Chosen): void {
  document.delete('organizations');
  if (organizations.length === 0) return;
  document.delete('groups');
  const map = new YAMLMap();
  for (const { name, id, key } of organizations) {
    map.set(
      name,
      document.createNode({ id, keyId: `\${${key.id}}`, keySecret: `\${${key.secret}}` }),
    );
  }
  document.set('organizations', map);
}

function setChannels(document: Document, { channels, organizations }: Chosen): void {
  const recipe = document.get('channels');
  const rules = isMap(recipe) ? recipe.items.at(-1)?.value : undefined;
  if (!isMap(rules)) return;
  const map = new YAMLMap();
  for (const [index, { name, id }] of channels.entries()) {
    const own = rules.clone();
    if (isMap(own)) own.set('id', id);
    const organization = organizations[index]?.name;
    if (isMap(own) && organization !== undefined) {
      own.setIn(['allow', 0, 'services'], inline(document, [`tag:${organization}`]));
      own.setIn(['allow', 0, 'who'], inline(document, [`${organization}-team`]));
    }
    map.set(name, own);
  }
  document.set('channels', map);
}

function servicesOf(document: Document, { services }: Chosen) {
  const map = new YAMLMap();
  for (const { name, id, tags, organization } of services) {
    const where = organization === undefined ? {} : { organization };
    map.set(name, inline(document, { id, ...where, tags: [...tags] }));
  }
  return map;
}

/**
 * Rules that people wrote, with what is new in them: channels, services and groups that they lack,
 * members that a group lacks. Nothing is taken away and no comment lost.
 */
export function addToRules(existing: string, recipe: string, chosen: Chosen): EditedRules {
  const document = parseDocument(existing);
  const fresh = parseDocument(rulesFromRecipe(recipe, chosen).text);
  const changes = [
    ...(['groups', 'services', 'channels'] as const).flatMap((section) =>
      addEntries(document, fresh, section),
    ),
    ...Object.entries(chosen.groups).flatMap(([name, members]) =>
      (['users', 'usergroups'] as const).flatMap((kind) =>
        members[kind]
          .filter((id) => addMember(document, ['groups', name, kind], id))
          .map((id) => `${id} in group ${name}`),
      ),
    ),
  ];
  return { text: changes.length === 0 ? existing : String(document), changes };
}

function addEntries(document: Document, fresh: Document, section: string): readonly string[] {
  const wanted = fresh.get(section);
  if (!isMap(wanted)) return [];
  return wanted.items.flatMap(({ key, value }) => {
    const path = [section, String(key)];
    if (document.hasIn(path) || isKnown(document, section, value)) return [];
    document.setIn(path, value);
    return [`${section.slice(0, -1)} ${path[1]}`];
  });
}

/** By its id, whatever it is called there. */
function isKnown(document: Document, section: string, value: unknown): boolean {
  const id = isMap(value) ? value.get('id') : undefined;
  const map = document.get(section);
  if (id === undefined || !isMap(map)) return false;
  return map.items.some((item) => isMap(item.value) && item.value.get('id') === id);
}

function addMember(document: Document, path: readonly string[], id: string): boolean {
  const list: unknown = document.toJS();
  const known = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    list,
  );
  if (Array.isArray(known) && known.includes(id)) return false;
  if (Array.isArray(known)) document.addIn(path, id);
  else document.setIn(path, inline(document, [id]));
  return true;
}

function membersOf({ users, usergroups }: Chosen['groups'][string]) {
  return {
    ...(users.length > 0 || usergroups.length === 0 ? { users: [...users] } : {}),
    ...(usergroups.length > 0 ? { usergroups: [...usergroups] } : {}),
  };
}

function inline(document: Document, value: unknown) {
  return document.createNode(value, { flow: true });
}

/** Variables set or changed in the text of an `.env`; its comments and its other lines stay. */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  let lines = text === '' ? [] : text.replace(/\n$/u, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}=${quoted(value)}`;
    const at = lines.findIndex((one) => new RegExp(`^\\s*(?:export\\s+)?${name}=`, 'u').test(one));
    lines = at < 0 ? [...lines, line] : lines.with(at, line);
  }
  return `${lines.join('\n')}\n`;
}

/** As a shell and `docker --env-file` both read it. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]*$/u.test(value) ? value : `'${value}'`;
}

/** Undefined where there is none. Throws where there is one that cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The whole file at once or not at all. `mode`: 0o600 for what holds secrets. */
export function replaceFile(path: string, text: string, mode?: number): void {
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, text, mode === undefined ? {} : { mode });
  if (mode !== undefined) chmodSync(next, mode);
  renameSync(next, path);
}
