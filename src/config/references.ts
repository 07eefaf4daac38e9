import { BREAK_GLASS } from '../core/ports/decision.ts';
import { coversAction } from '../core/settings/settings.ts';
import { didYouMean } from '../core/text/typed-text.ts';
import type { AllowRuleInFile, StewardFile } from './file-schema.ts';
import { formatPath, type Path } from './problems.ts';

/** What is said about a path; lines are added by the caller. */
export type Finding = { readonly path: Path; readonly message: string };

const PEOPLE = ['anyone', 'guests', 'external'] as const;
const SCHEDULE = 'schedule:';
const USER_ID = /^[UW][A-Z0-9]{2,}$/u;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu;

/** Everything in a rule that names something must name something that exists. */
export function checkReferences(
  file: StewardFile,
  knownActions: readonly string[],
): readonly Finding[] {
  const checks = createChecks(file, knownActions);
  const schedules = checkSchedules(file, checks);
  const channels = Object.entries(file.channels).flatMap(([name, channel]) => {
    const path = ['channels', name];
    const allow = channel.allow.flatMap((rule, index) => {
      const at = [...path, 'allow', index];
      return [
        ...checks.rule(rule, at),
        ...breakGlass(rule, at),
        ...(rule.approval?.by ?? []).flatMap((who, step) =>
          checks.approver(who, [...at, 'approval', 'by', step]),
        ),
      ];
    });
    const deny = channel.deny.flatMap((rule, index) => checks.rule(rule, [...path, 'deny', index]));
    const digest = (channel.digest?.services ?? []).flatMap((service, step) =>
      checks.service(service, [...path, 'digest', 'services', step]),
    );
    return [...allow, ...deny, ...digest];
  });
  return [...channels, ...schedules];
}

/** What a schedule names: services and tags of the file, never all; a channel; people. */
function checkSchedules(
  file: StewardFile,
  checks: ReturnType<typeof createChecks>,
): readonly Finding[] {
  return Object.entries(file.schedules).flatMap(([name, one]) => {
    const path = ['schedules', name];
    const { services, channel, snooze, approved = [], stop, start } = one;
    const days = stop.days.filter((day) => start?.at === stop.at && start.days.includes(day));
    const lists = [
      [['services'], services],
      [['stop', 'days'], stop.days],
      [['start', 'days'], start?.days ?? []],
      [['snooze', 'by'], snooze?.by ?? []],
      [['approved'], approved],
    ] as const;
    return [
      ...services.flatMap((item, step) => checks.named(item, [...path, 'services', step])),
      ...channelNamed(channel, [...path, 'channel'], file),
      ...(days.length === 0 ? [] : [sameMoment(days, [...path, 'start', 'at'])]),
      ...lists.flatMap(([at, values]) => twice(values, [...path, ...at])),
      ...(snooze?.by ?? []).flatMap((who, step) =>
        checks.approver(who, [...path, 'snooze', 'by', step]),
      ),
      ...approved.flatMap((who, step) => checks.approver(who, [...path, 'approved', step])),
    ];
  });
}

function channelNamed(name: string, path: Path, { channels }: StewardFile): readonly Finding[] {
  const names = Object.keys(channels);
  if (names.includes(name)) return [];
  const byId = names.find((one) => channels[one]?.id === name);
  const message = `no channel under channels: has this name${didYouMean(byId ?? name, names)}`;
  return [{ path, message }];
}

function sameMoment(days: readonly string[], path: Path): Finding {
  return { path, message: `is the very moment of stop, on ${days.join(', ')}` };
}

/** A day that stands there twice was meant to be another one. */
function twice(values: readonly string[], path: Path): readonly Finding[] {
  return values.flatMap((value, step) =>
    values.indexOf(value) === step ? [] : [{ path: [...path, step], message: 'stands here twice' }],
  );
}

/** Such a rule would promise an approval that nobody is asked for. */
function breakGlass(rule: AllowRuleInFile, path: Path): readonly Finding[] {
  const step = rule.actions.indexOf(BREAK_GLASS);
  if (step < 0 || rule.approval === undefined) return [];
  const message = 'runs at once: it needs a rule of its own, without approval';
  return [{ path: [...path, 'actions', step], message }];
}

type NamedRule = {
  readonly actions: readonly string[];
  readonly services?: readonly string[] | undefined;
  readonly who: readonly string[];
};

function createChecks(file: StewardFile, knownActions: readonly string[]) {
  const groups = Object.keys(file.groups);
  const services = Object.keys(file.services);
  const schedules = Object.keys(file.schedules);
  const tags = [...new Set(Object.values(file.services).flatMap((service) => service.tags))];

  function action(value: string, path: Path): readonly Finding[] {
    const matched = value.includes('*')
      ? /^[a-z*][a-z.*-]*$/u.test(value) && knownActions.some((known) => coversAction(value, known))
      : knownActions.includes(value);
    if (matched) return [];
    return [{ path, message: `matches no operation${didYouMean(value, knownActions)}` }];
  }
  function service(value: string, path: Path): readonly Finding[] {
    if (value === '*' || UUID.test(value) || services.includes(value)) return [];
    if (value.startsWith('tag:')) {
      if (tags.includes(value.slice(4))) return [];
      return [{ path, message: `no service has this tag${didYouMean(value.slice(4), tags)}` }];
    }
    return [
      { path, message: `no service under services: has this name${didYouMean(value, services)}` },
    ];
  }
  /** By name or tag alone: what a schedule stops is read in the file. */
  function named(value: string, path: Path): readonly Finding[] {
    if (value !== '*' && !UUID.test(value)) return service(value, path);
    const id = value.toLowerCase();
    const name = services.find((one) => file.services[one]?.id === id) ?? '';
    const message = `a schedule names its services, or a tag of theirs${didYouMean(name, services)}`;
    return [{ path, message }];
  }
  function person(value: string, path: Path): readonly Finding[] {
    if (PEOPLE.some((word) => word === value)) return [];
    if (value.startsWith(SCHEDULE)) return schedule(value.slice(SCHEDULE.length), path);
    return member(value, path, [...groups, ...PEOPLE]);
  }
  function schedule(value: string, path: Path): readonly Finding[] {
    if (schedules.includes(value)) return [];
    const message = `no schedule under schedules: has this name${didYouMean(value, schedules)}`;
    return [{ path, message }];
  }
  /** Guests and external people may ask where a rule says so; they never approve. */
  function approver(value: string, path: Path): readonly Finding[] {
    return value === 'anyone' ? [] : member(value, path, [...groups, 'anyone']);
  }
  function member(value: string, path: Path, words: readonly string[]): readonly Finding[] {
    if (groups.includes(value) || USER_ID.test(value)) return [];
    return [{ path, message: `no group under groups: has this name${didYouMean(value, words)}` }];
  }
  function rule(value: NamedRule, path: Path): readonly Finding[] {
    return [
      ...value.actions.flatMap((item, step) => action(item, [...path, 'actions', step])),
      ...(value.services ?? []).flatMap((item, step) => service(item, [...path, 'services', step])),
      ...value.who.flatMap((item, step) => person(item, [...path, 'who', step])),
    ];
  }
  return { rule, service, named, approver };
}

/** Ids and names that must be given once only, and what belongs to an organization. */
export function checkUniqueness(file: StewardFile): readonly Finding[] {
  const channels = Object.entries(file.channels).map(([name, channel]) => ({
    path: ['channels', name, 'id'],
    key: channel.id,
  }));
  const services = Object.entries(file.services).map(([name, service]) => ({
    path: ['services', name, 'id'],
    key: service.id,
  }));
  return [
    ...repeats(channels, 'is already the id of'),
    ...repeats(services, 'is already the id of'),
    ...alike('services', Object.keys(file.services), skeleton),
    ...alike('schedules', Object.keys(file.schedules), lowerCase),
    ...alike('groups', Object.keys(file.groups), lowerCase),
    ...alike('credentials', Object.keys(file.credentials), lowerCase),
    ...reservedGroups(file),
  ];
}

function reservedGroups(file: StewardFile): readonly Finding[] {
  return Object.keys(file.groups)
    .filter((name) => PEOPLE.some((word) => word === lowerCase(name)) || USER_ID.test(name))
    .map((name) => ({
      path: ['groups', name],
      message: 'a group must not be named like a person or like anyone, guests, external',
    }));
}

function alike(
  section: string,
  names: readonly string[],
  key: (name: string) => string,
): readonly Finding[] {
  const entries = names.map((name) => ({ path: [section, name], key: key(name) }));
  return repeats(entries, 'is too easily taken for');
}

function repeats(
  entries: readonly { readonly path: Path; readonly key: string }[],
  words: string,
): readonly Finding[] {
  const seen = new Map<string, Path>();
  return entries.flatMap(({ path, key }) => {
    const first = seen.get(key);
    seen.set(key, first ?? path);
    return first === undefined ? [] : [{ path, message: `${words} ${formatPath(first)}` }];
  });
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}

/** Names that a hurried reader takes for one another have one skeleton: `prod-1`, `prod_l`. */
function skeleton(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/gu, 'l')
    .replaceAll(/[ ._]/gu, '-');
}
