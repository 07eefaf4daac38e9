import type { Question, Target } from '../../../src/core/ports/decision.ts';
import type { ChannelSettings, Rule, Settings } from '../../../src/core/settings/settings.ts';
import { plain } from '../../../src/core/text/text.ts';
import { type DecideInput, decide } from '../../../src/policy/decide/decide.ts';
import type { ActorFacts, PlaceFacts } from '../../../src/policy/decide/facts.ts';

export const ANALYTICS = '22222222-2222-4222-8222-222222222222';
export const SCRATCH = '33333333-3333-4333-8333-333333333333';

/** A rule without its path, which follows from its place. */
export type RuleSpec = Omit<Rule, 'effect' | 'path'> & { readonly deny?: boolean };

export function channelOf(
  name: string,
  rules: readonly RuleSpec[],
  more: Partial<ChannelSettings> = {},
): ChannelSettings {
  return {
    name,
    id: `C0${name.toUpperCase()}`,
    rules: rules.map(({ deny, ...rule }, index) => ({
      ...rule,
      effect: deny === true ? 'deny' : 'allow',
      path: `channels.${name}.${deny === true ? 'deny' : 'allow'}[${index}]`,
    })),
    guests: 'deny',
    externalPeople: 'deny',
    ...more,
  };
}

export function settingsOf(
  channels: readonly ChannelSettings[],
  more: Partial<Settings> = {},
): Settings {
  return {
    command: '/db',
    workspaces: ['T0ACME'],
    organizations: [],
    services: [
      { name: 'analytics', id: ANALYTICS, organization: 'acme', tags: ['prod'] },
      { name: 'scratch', id: SCRATCH, organization: 'acme', tags: ['dev'] },
    ],
    groups: {
      operators: { users: ['U01ANA'], usergroups: ['S0OPS'] },
      leads: { users: ['U02BEN'], usergroups: [] },
      finance: { users: ['U03CAT'], usergroups: [] },
    },
    credentials: [],
    presets: {},
    channels,
    defaults: { directMessages: 'deny', externalPeople: 'deny', guests: 'deny' },
    audit: {},
    schedules: [],
    generatedPassword: 'show-once',
    passwordForMs: 14_400_000,
    limits: { perPersonPerMinute: 30, perChannelPerMinute: 120 },
    ...more,
  };
}

/** The channel of `steward.example.yaml`, in short. */
export const OPS = channelOf('ops', [
  { actions: ['service.start', 'service.stop'], services: ['tag:dev'], who: ['operators'] },
  {
    actions: ['service.stop'],
    services: ['tag:prod'],
    who: ['operators'],
    approval: { by: ['leads'], withinMs: 1_800_000 },
  },
  { actions: ['invitation.create'], who: ['leads'], emailDomains: ['example.com'] },
  { actions: ['*.read'], who: ['anyone'] },
  { actions: ['dashboard.delete'], who: ['anyone'], deny: true },
]);

export function actorOf(
  groups: readonly string[] = [],
  more: Partial<ActorFacts> = {},
): ActorFacts {
  return {
    userId: 'U09EVE',
    standing: 'member',
    groups: new Set(groups),
    unknownGroups: new Set(),
    ...more,
  };
}

export const ANA = actorOf(['operators'], { userId: 'U01ANA' });
export const BEN = actorOf(['leads'], { userId: 'U02BEN' });
export const EVE = actorOf();

export function inChannel(name: string, shared: boolean | 'unknown' = false): PlaceFacts {
  return { kind: 'channel', channelId: `C0${name.toUpperCase()}`, shared };
}

export function service(id: string, more: Partial<Target> = {}): Target {
  const name = id === ANALYTICS ? 'analytics' : id === SCRATCH ? 'scratch' : 'other';
  return { kind: 'service', id, name, organization: 'acme', tags: [], ...more };
}

export function asking(action: string, ...targets: readonly Target[]): Question {
  return { action, risk: 'change', ...(targets.length === 0 ? {} : { targets }) };
}

/** `yes by <rule>`, `yes by <rule>, approval by …`, or `no: reason | hint`. */
export function answer(input: DecideInput): string {
  const decision = decide(input);
  if (!decision.allowed) {
    const hint = decision.hint === undefined ? '' : ` | ${plain(decision.hint)}`;
    return `no: ${plain(decision.reason)}${hint}`;
  }
  const { approval } = decision;
  const also = approval === undefined ? '' : `, approval by ${approval.by} in ${approval.withinMs}`;
  return `yes by ${decision.rule}${also}`;
}
