import { z } from 'zod';
import type { Card, CardAction, Fact } from '../../core/card/card.ts';
import {
  digestChannel,
  lateText,
  scheduleText,
  scopeText,
} from '../../core/operation/digest-words.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import type {
  DigestEntry,
  Muted,
  PostedDigest,
  ScheduledDigest,
} from '../../core/ports/digests.ts';
import { bold, code, joinText, say, type Text, time, user } from '../../core/text/text.ts';

const input = z.strictObject({});

type Report = {
  readonly scheduled: ScheduledDigest | undefined;
  readonly nextAt: string;
  readonly posted: readonly PostedDigest[];
  readonly missed: readonly DigestEntry[];
  readonly muted: readonly Muted[];
};

/** `/db digest status`: when, what was posted last, and why nothing is, where nothing is. */
export const digestRead = defineOperation({
  id: 'digest.read',
  summary: 'Show when the cost summary comes, and its last post',
  title: 'Cost summary',
  risk: 'read',
  slash: { words: ['digest', 'status'], positional: [], examples: ['digest status'] },
  input,
  refused: () => say`The state of the cost summary was not shown`,
  plan: async (_typed, _ports, { place }) => {
    const channelId = digestChannel(place);
    return typeof channelId === 'string' ? { channelId } : channelId;
  },
  targets: () => [],
  execute: async ({ channelId }: { readonly channelId: string }, ports) => ({
    result: await look(channelId, ports),
  }),
  present,
});

async function look(channel: string, { digests, settings }: Ports): Promise<Report> {
  const scheduled = await digests.find(channel);
  if (scheduled === undefined) {
    return { scheduled, nextAt: '', posted: [], missed: [], muted: [] };
  }
  const { digest } = scheduled;
  const posted: PostedDigest[] = [];
  const missed: DigestEntry[] = [];
  for (const { key: organization } of settings.get().organizations) {
    const scope = { channel, organization, period: digest.every };
    const last = await digests.posted(scope);
    if (last !== undefined) posted.push(last);
    missed.push(...(await digests.missed(scope)));
  }
  const muted = await digests.muted(channel);
  return { scheduled, nextAt: digests.nextAt(digest), posted, missed, muted };
}

function present(seen: Report): Card {
  const { scheduled, missed, muted } = seen;
  const base = { audience: 'requester', shareable: true } as const;
  if (scheduled === undefined) {
    return {
      ...base,
      tone: 'plain',
      headline: say`This channel has no cost summary. ${code('digest on 09:00 Europe/Berlin')} turns one on.`,
    };
  }
  const isWell = scheduled.paused === undefined && missed.length === 0;
  return {
    ...base,
    tone: isWell ? 'plain' : 'warning',
    headline: headlineOf(scheduled, seen.nextAt),
    lines: [...missed.slice(0, SHOWN).map(missedText), ...muted.slice(0, SHOWN).map(mutedText)],
    facts: factsOf(seen, scheduled),
    actions: muted.slice(0, SHOWN).map(unmute),
  };
}

function headlineOf({ enabled, paused, digest }: ScheduledDigest, nextAt: string): Text {
  if (!enabled) return say`The cost summary is ${bold('off')}. ${code('digest on')} turns it on.`;
  if (paused !== undefined) {
    return say`The cost summary is ${bold('paused')} since ${time(paused.at)}: Slack answered ${paused.reason} three times. ${code('digest on')} ends the pause.`;
  }
  const next = nextAt === '' ? [] : say` Next: ${time(nextAt)}.`;
  return say`The cost summary comes ${bold(scheduleText(digest))}.${next}`;
}

/** Of each list; more is no news. */
const SHOWN = 7;

function missedText({ state, day, reason = 'no reason was noted' }: DigestEntry): Text {
  if (state === 'unknown') {
    return say`Nobody knows whether the one for ${day} (UTC) was posted: ${reason}. It is not repeated.`;
  }
  // The ledger says so of its own accord of what was too old to be caught up.
  if (reason.startsWith('skipped: ')) return say`Skipped: ${day} (UTC), ${reason.slice(9)}.`;
  return say`The one for ${day} (UTC) was not posted: ${reason}.`;
}

function mutedText({ name, until }: Muted): Text {
  return say`${bold(name)} is muted until ${time(until, 'date')}.`;
}

function unmute({ name, entityId }: Muted): CardAction {
  const input = { service: name.slice(0, 100), entity: entityId, off: true };
  const label = `Unmute ${name}`.slice(0, 75);
  return { label, do: { kind: 'run', operation: 'digest.mute', input } };
}

function factsOf({ posted }: Report, { digest, owner }: ScheduledDigest): readonly Fact[] {
  const last = posted.map(
    ({ organization, day, postedAt, ...how }) =>
      say`${organization}: ${day} (UTC), ${stateOf(how)}${postedAt === undefined ? [] : say`, ${time(postedAt)}`}${lateWords(how)}`,
  );
  return [
    { label: 'Covers', value: [scopeText(digest)] },
    { label: 'Last post', value: last.length === 0 ? ['none yet'] : joinText(last, '; ') },
    ...(digest.budgetPerDay === undefined
      ? []
      : [{ label: 'Budget', value: [`${digest.budgetPerDay} units a day`] }]),
    ...(owner === undefined ? [] : [{ label: 'Turned on by', value: [user(owner)] }]),
  ];
}

function stateOf({ state, withoutData }: Pick<PostedDigest, 'state' | 'withoutData'>): string {
  if (state === 'final') return 'final';
  return withoutData === true ? 'without numbers yet' : 'provisional';
}

function lateWords({ lateMs = 0 }: Pick<PostedDigest, 'lateMs'>): string {
  const late = lateText(lateMs);
  return late === undefined ? '' : `, ${late} late`;
}
