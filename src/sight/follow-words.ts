import type { Card, ChannelCard } from '../core/card/card.ts';
import { endpointLines, type ServiceRecord } from '../core/cloud/service.ts';
import type { Following } from '../core/ports/follow.ts';
import type { FollowedCommand } from '../core/ports/sight.ts';
import { bold, code, plain, say, type Text, time, user } from '../core/text/text.ts';

/** The message goes on under its headline; what stood in its thread stands there already. */
function goneOn(
  { card }: Following,
  headline: Text,
  more: Pick<ChannelCard, 'tone' | 'lines' | 'context'>,
): ChannelCard {
  return { ...card, headline, ...more, details: undefined, actions: undefined };
}

/** `**scratch**: `stopping` … 40 s after @ana asked.` */
export function underWay(following: Following, state: string, lastedMs: number): ChannelCard {
  const { card } = following;
  const headline = say`${bold(following.follow.name)}: ${code(state)} … ${lasted(lastedMs)} ${sinceWhat(following)}.`;
  return goneOn(following, headline, { tone: 'plain', lines: card.lines });
}

/** `**scratch** is stopped, 1 min 12 s after @ana asked.` */
export function reached(
  following: Following,
  state: string,
  { lastedMs, record }: { readonly lastedMs: number; readonly record: ServiceRecord | undefined },
): ChannelCard {
  const { name } = following.follow;
  const headline = say`${bold(name)} is ${stateWords(state)}, ${lasted(lastedMs)} ${sinceWhat(following)}.`;
  const lines = withEndpoints(following, record);
  return goneOn(following, headline, { tone: 'good', lines });
}

/** Of a creation: hosts may be known only now. */
function withEndpoints({ card, follow }: Following, record: ServiceRecord | undefined) {
  const { lines = [] } = card;
  if (follow.command !== 'create' || record?.endpoints === undefined) return lines;
  const reported = endpointLines(record);
  const known = new Set([...reported, ...endpointLines({})].map((line) => plain(line)));
  return [...reported, ...lines.filter((line) => !known.has(plain(line)))];
}

/** It came to rest elsewhere: `failed`, or where it was before. */
export function elsewhere(following: Following, state: string, lastedMs: number): ChannelCard {
  const { name } = following.follow;
  const headline = say`${bold(name)} is ${code(state)}, ${lasted(lastedMs)} ${sinceWhat(following)}. That is not what was asked for: look in the console.`;
  return goneOn(following, headline, { tone: 'problem', lines: following.card.lines });
}

export function gone(following: Following, lastedMs: number): ChannelCard {
  const { name } = following.follow;
  const headline = say`${bold(name)} is not in the cloud any more, ${lasted(lastedMs)} ${sinceWhat(following)}.`;
  return goneOn(following, headline, { tone: 'problem', lines: following.card.lines });
}

/** Nobody looks any further. */
export function lastSeen(following: Following, why: Text): ChannelCard {
  const { name } = following.follow;
  const { state, seenAt } = following.progress;
  const seen =
    state === undefined || seenAt === undefined
      ? say`What became of ${bold(name)} could not be seen ${sinceWhat(following)}`
      : say`${bold(name)} was last seen ${code(state)} at ${time(seenAt, 'time')}, ${sinceWhat(following)}`;
  const headline = say`${seen}. ${why}`;
  return goneOn(following, headline, { tone: 'warning', lines: following.card.lines });
}

/** The cloud does not show it for now; its first words stay. */
export function blind(following: Following, because: string): ChannelCard {
  const { card } = following;
  return { ...card, context: say`Steward cannot see it now: ${because}.`, details: undefined };
}

/** A word that reaches people: an update of a message calls nobody. */
export function wordTo(following: Following, text: Text, tone: Card['tone']): Card {
  return { audience: 'channel', tone, headline: say`${user(following.actor.userId)}: ${text}` };
}

export function takesLong(following: Following, state: string | undefined, lastedMs: number): Text {
  const { name } = following.follow;
  const now = state === undefined ? say`not seen` : code(state);
  return say`${bold(name)} is still ${now}, ${lasted(lastedMs)} ${sinceWhat(following)}. That is longer than usual; the console may say why.`;
}

/** What whoever asked for a service needs once it runs; never the password itself. */
export function readyToUse({ follow }: Following, record: ServiceRecord, command: string): Card {
  return {
    audience: 'requester',
    tone: 'good',
    headline: say`${bold(follow.name)} is ${stateWords(record.state ?? 'running')} and can be used.`,
    lines: [
      ...endpointLines(record),
      ...(follow.hasPassword === true
        ? [say`Its password, while nobody has seen it: ${code(`${command} approvals`)}.`]
        : []),
    ],
  };
}

function stateWords(state: string): Text {
  return state === 'running' || state === 'stopped' ? [state] : [code(state)];
}

/** `after @ana asked`, or `after @ben approved what @ana asked for`. */
function sinceWhat({ follow: { command, approvedBy }, actor }: Following): Text {
  const who = user(actor.userId);
  if (approvedBy !== undefined)
    return say`after ${user(approvedBy)} approved what ${who} asked for`;
  return isCreation(command) ? say`after ${who} created it` : say`after ${who} asked`;
}

function isCreation(command: FollowedCommand): boolean {
  return command === 'create' || command === 'pipe';
}

/** `40 s`, `1 min 12 s`, `1 h 5 min`. */
function lasted(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(minutes, 'min', seconds % 60, 's');
  return withRest(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${restUnit}`;
}
