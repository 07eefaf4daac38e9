import { z } from 'zod';
import type { Card, Fact } from '../../core/card/card.ts';
import { digestChannel, scheduleText, scopeText } from '../../core/operation/digest-words.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import type { DigestEntry, ScheduledDigest } from '../../core/ports/digests.ts';
import { bold, code, joinText, say, type Text, time, user } from '../../core/text/text.ts';

const input = z.strictObject({});

type Report = {
  readonly scheduled: ScheduledDigest | undefined;
  readonly nextAt: string;
  readonly posted: readonly DigestEntry[];
  readonly troubled: readonly DigestEntry[];
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
    return { scheduled, nextAt: '', posted: [], troubled: [] };
  }
  const { digest } = scheduled;
  const posted: DigestEntry[] = [];
  const troubled: DigestEntry[] = [];
  for (const { key: organization } of settings.get().organizations) {
    const scope = { channel, organization, period: digest.every };
    const last = await digests.posted(scope);
    const due = await digests.dueLast(digest, scope);
    if (last !== undefined) posted.push(last);
    if (due?.state === 'unknown' || due?.state === 'failed') troubled.push(due);
  }
  return { scheduled, nextAt: digests.nextAt(digest), posted, troubled };
}

function present(seen: Report): Card {
  const { scheduled, troubled } = seen;
  const base = { audience: 'requester', shareable: true } as const;
  if (scheduled === undefined) {
    return {
      ...base,
      tone: 'plain',
      headline: say`This channel has no cost summary. ${code('digest on 09:00 Europe/Berlin')} turns one on.`,
    };
  }
  const isWell = scheduled.paused === undefined && troubled.length === 0;
  return {
    ...base,
    tone: isWell ? 'plain' : 'warning',
    headline: headlineOf(scheduled, seen.nextAt),
    lines: troubled.map(troubleText),
    facts: factsOf(seen, scheduled),
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

function troubleText({ state, day, reason = 'no reason was noted' }: DigestEntry): Text {
  return state === 'unknown'
    ? say`Nobody knows whether the one for ${day} (UTC) was posted: ${reason}. It is not repeated.`
    : say`The one for ${day} (UTC) was not posted: ${reason}.`;
}

function factsOf({ posted }: Report, { digest, owner }: ScheduledDigest): readonly Fact[] {
  const last = posted.map(
    ({ day, state, postedAt, organization }) =>
      say`${organization}: ${day} (UTC), ${state === 'final' ? 'final' : 'provisional'}${postedAt === undefined ? [] : say`, ${time(postedAt)}`}`,
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
