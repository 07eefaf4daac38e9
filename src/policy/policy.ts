import type { Question } from '../core/decision.ts';
import type { Actor, Place, Policy } from '../core/ports.ts';
import type { CurrentSettings, Settings } from '../core/settings.ts';
import { type DecideInput, decide } from './decide.ts';
import { type Explanation, explain } from './explain.ts';
import type { Identity } from './identity.ts';

export type PolicyOptions = {
  readonly settings: CurrentSettings;
  readonly identity: Identity;
};

export type ExplainingPolicy = Policy & {
  explain(actor: Actor, place: Place, question: Question): Promise<Explanation>;
};

/** Hints ask Slack about at most this many channels. */
const MAX_HINT_CHANNELS = 5;

/**
 * The one policy for commands, buttons, forms, menus, help and schedules. People and places are
 * looked up at each question, through a cache of at most 5 minutes; what Slack cannot say is
 * refused. It throws nothing. Design: §5.
 */
export function createPolicy({ settings, identity }: PolicyOptions): ExplainingPolicy {
  async function inputFor(actor: Actor, place: Place, question: Question): Promise<DecideInput> {
    if (question.fresh === true) await identity.refresh(actor, place);
    const now = settings.get();
    const [who, where] = await Promise.all([
      identity.actor(actor, now, groupsInRules(now)),
      identity.place(place, now),
    ]);
    const input: DecideInput = { settings: now, actor: who, place: where, question };
    const shared = await sharedAmong(input, identity);
    return { ...input, shared: (channelId) => shared.has(channelId) };
  }
  return {
    async decide(actor, place, question) {
      return decide(await inputFor(actor, place, question));
    },
    async explain(actor, place, question) {
      return explain(await inputFor(actor, place, question));
    },
    async isOneOf(actor, groups) {
      const now = settings.get();
      const facts = await identity.freshActor(actor, now, groups);
      if (facts.standing !== 'member') return false;
      return (
        groups.includes('anyone') ||
        groups.includes(actor.userId) ||
        groups.some((group) => facts.groups.has(group))
      );
    },
  };
}

const groupNames = new WeakMap<Settings, readonly string[]>();

/** The groups that rules ask for; approvers are resolved at the press instead. */
function groupsInRules(settings: Settings): readonly string[] {
  const known = groupNames.get(settings);
  if (known !== undefined) return known;
  const who = settings.channels.flatMap(({ rules }) => rules.flatMap((rule) => rule.who));
  const names = [...new Set(who)].filter((name) => Object.hasOwn(settings.groups, name));
  groupNames.set(settings, names);
  return names;
}

/**
 * Channels that a hint must not name, because others read them or because nobody asked. Only a
 * refusal has a hint, and only channels that would be named cost a question to Slack.
 */
async function sharedAmong(input: DecideInput, identity: Identity): Promise<ReadonlySet<string>> {
  const first = decide(input);
  if (first.allowed || first.hint === undefined) return new Set();
  const named = new Set<string>();
  const excluded = new Set<string>();
  // Leaving one out can bring the next one in, so ask until every named one has been asked about.
  for (;;) {
    const decision = decide({ ...input, shared: (channelId) => excluded.has(channelId) });
    const fresh = channelsIn(decision).filter((channelId) => !named.has(channelId));
    if (fresh.length === 0) return excluded;
    for (const channelId of fresh) {
      const beyond = named.size >= MAX_HINT_CHANNELS;
      named.add(channelId);
      if (beyond || (await identity.isShared(channelId))) excluded.add(channelId);
    }
  }
}

function channelsIn(decision: ReturnType<typeof decide>): readonly string[] {
  if (decision.allowed || decision.hint === undefined) return [];
  return decision.hint.flatMap((piece) =>
    typeof piece !== 'string' && 'channel' in piece ? [piece.channel] : [],
  );
}
