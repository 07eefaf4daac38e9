import { stringify } from 'yaml';
import type { WorkspaceOptions } from '../../src/sandbox/workspace/state/options.ts';

/** How much of everything a large team has. */
export type Size = {
  readonly channels: number;
  readonly groups: number;
  readonly services: number;
  readonly credentials: number;
};

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(3, '0'));

const EVERYBODY = ['U01ANA', 'U02BEN', 'U03FAY'];

/** Channels beside the usual ones, and user groups; Ana is in all of them. */
export function largeWorkspace({ channels, groups }: Size): Partial<WorkspaceOptions> {
  return {
    channels: [
      { id: 'C0OPS', name: 'ops', members: EVERYBODY },
      { id: 'C0AUDIT', name: 'audit', members: EVERYBODY },
      ...numbered(channels).map((n) => ({ id: `C0T${n}`, name: `team-${n}`, members: EVERYBODY })),
    ],
    userGroups: numbered(groups).map((n) => ({
      ...{ id: `S0G${n}`, handle: `group-${n}`, name: `Group ${n}` },
      users: ['U01ANA'],
    })),
  };
}

/** Each channel names two of the groups in its rules; nobody is ever too fast. */
export function largeRules({
  channels,
  groups,
  services,
  credentials,
}: Size): (yaml: string) => string {
  const known = numbered(groups);
  const who = (index: number) =>
    [0, 1].map((next) => `group-${known[(2 * index + next) % groups]}`);
  const rules = {
    services: Object.fromEntries(
      numbered(services).map((n) => [
        `service ${n}`,
        { id: `00000000-0000-4000-8000-000000000${n}`, organization: 'acme', tags: ['prod'] },
      ]),
    ),
    groups: Object.fromEntries(known.map((n) => [`group-${n}`, { usergroups: [`S0G${n}`] }])),
    credentials: Object.fromEntries(
      numbered(credentials).map((n) => [`key-${n}`, { value: `\${DISK_KEY}` }]),
    ),
    channels: Object.fromEntries([
      ['ops', { id: 'C0OPS', allow: [{ actions: ['*'], who: who(0) }] }],
      ...numbered(channels).map((n, index) => [
        `team-${n}`,
        { id: `C0T${n}`, allow: [{ actions: ['*'], who: who(index) }] },
      ]),
    ]),
    defaults: { directMessages: 'deny', externalPeople: 'deny', guests: 'deny' },
    limits: { perPersonPerMinute: 10_000, perChannelPerMinute: 10_000 },
    audit: { channel: 'C0AUDIT' },
  };
  return (yaml) => `${yaml.slice(0, yaml.indexOf('services:'))}${stringify(rules)}`;
}
