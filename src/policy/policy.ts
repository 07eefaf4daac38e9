import type { Question, Target } from '../core/ports/decision.ts';
import {
  type Actor,
  channelOf,
  type Logger,
  type Place,
  type Policy,
} from '../core/ports/ports.ts';
import { type TroubleKind, type Troubles, troubleText } from '../core/ports/troubles.ts';
import { type CurrentSettings, formerId, type Settings } from '../core/settings/settings.ts';
import { say } from '../core/text/text.ts';
import { rulesAbout } from './decide/compile.ts';
import { type DecideInput, decide, isUnsure } from './decide/decide.ts';
import { evaluate, scopeOf } from './decide/evaluate.ts';
import { type Explanation, explain } from './decide/explain.ts';
import { limitHints } from './decide/limits.ts';
import { createFacts } from './facts-for.ts';
import type { Identity } from './identity/identity.ts';

export type PolicyOptions = {
  readonly settings: CurrentSettings;
  readonly identity: Identity;
  readonly troubles?: Pick<Troubles, 'all'> | undefined;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
};

export type ExplainingPolicy = Policy & {
  explain(actor: Actor, place: Place, question: Question): Promise<Explanation>;
};

/** Until somebody mends these, asking again does not help. */
const KEEPS_SILENT: ReadonlySet<TroubleKind> = new Set(['scope', 'token']);

/** Hints ask Slack about at most this many channels. */
const MAX_HINT_CHANNELS = 5;

/**
 * The one policy for commands, buttons, forms, menus, help and schedules. People and places are
 * looked up at each question, through a cache of at most 5 minutes; what Slack cannot say is
 * refused. It throws nothing. Design: §5.
 */
export function createPolicy({
  settings,
  identity,
  troubles,
  logger,
}: PolicyOptions): ExplainingPolicy {
  const { factsFor, withElsewhere } = createFacts(settings, identity, createRenamedWarning(logger));
  async function withShared(input: DecideInput): Promise<DecideInput> {
    const shared = await sharedAmong(input, identity);
    return { ...input, shared: (channelId) => shared.has(channelId) };
  }
  const unsureBecause = () => {
    const first = troubles?.all().find(({ kind }) => KEEPS_SILENT.has(kind));
    return first === undefined ? [] : say` The reason: ${troubleText(first)}.`;
  };
  return {
    unsureBecause,
    async decide(actor, place, question) {
      const here = await factsFor(actor, place, question);
      if (evaluate(here).allowed) return decide(here);
      const facts = await withElsewhere(actor, place, here);
      const first = decide(facts);
      // Only a refusal with a hint depends on who reads the channels that it names.
      const refused =
        first.allowed || first.hint === undefined ? first : decide(await withShared(facts));
      if (refused.allowed || refused.unsure !== true) return refused;
      return { ...refused, reason: say`${refused.reason}${unsureBecause()}` };
    },
    async explain(actor, place, question) {
      const here = await factsFor(actor, place, question);
      return explain(await withShared(await withElsewhere(actor, place, here)));
    },
    async isOneOf(actor, groups) {
      const facts = await identity.freshActor(actor, settings.get(), groups);
      if (facts.standing === 'unknown') return 'unknown';
      if (facts.standing !== 'member') return 'no';
      if (groups.includes('anyone') || groups.includes(actor.userId)) return 'yes';
      if (groups.some((group) => facts.groups.has(group))) return 'yes';
      return groups.some((group) => facts.unknownGroups.has(group)) ? 'unknown' : 'no';
    },
    async limits(actor, place, action) {
      const facts = await factsFor(actor, place, { action, risk: 'read' });
      const rules = scopeOf(facts.settings, facts.place)?.forAction(action);
      const isMember = facts.actor.standing === 'member';
      const mine = rules === undefined || !isMember ? [] : rulesAbout(rules.allowBy, facts.actor);
      return limitHints(mine.map(({ rule }) => rule));
    },
    async allowed(actor, place, questions) {
      const [first] = questions;
      if (first === undefined) return [];
      const actions = questions.map(({ action }) => action);
      const facts = await factsFor(actor, place, first, actions);
      return questions.map((question) => {
        const verdict = evaluate({ ...facts, question });
        if (verdict.allowed) return 'yes';
        return isUnsure(verdict.because) ? 'unknown' : 'no';
      });
    },
    isIn: (actor, channelId) => identity.isIn(actor.userId, channelId),
    hasOthers: (actor, groups) => identity.hasOthers(actor, settings.get(), groups),
    async seen(actor, place, { services, actions }) {
      const question = { action: '', risk: 'read' } as const;
      const input = await factsFor(actor, place, question, actions);
      const may = (target: Target, action: string) =>
        evaluate({ ...input, question: { ...question, action, targets: [target] } }).allowed;
      const seen = services.filter((one) => actions.some((action) => may(one, action)));
      return new Set(seen.map(({ id }) => id));
    },
  };
}

/** Once for each channel that the file knows under the id that it had before. */
function createRenamedWarning(logger: PolicyOptions['logger']) {
  const warned = new Set<string>();
  return (place: Place, now: Settings): void => {
    const channelId = channelOf(place);
    const known = channelId === undefined ? undefined : formerId(now, channelId);
    if (channelId === undefined || known === undefined || warned.has(channelId)) return;
    warned.add(channelId);
    logger?.warn(
      { event: 'channel-renamed', file: known, slack: channelId },
      `steward.yaml says ${known}, and Slack now calls this channel ${channelId}: nothing is allowed there until the file says so`,
    );
  };
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
