import type { ChannelCard } from '../../core/card/card.ts';
import { spokenInput } from '../../core/card/request-options.ts';
import type { Status } from '../../core/operation/ports.ts';
import type { Finished, Observer, PipelineDeps, Settlement } from '../../core/pipeline/request.ts';
import type { JournalEntry, OpenEntry } from '../../core/ports/journal.ts';
import type { Place } from '../../core/ports/ports.ts';
import { bold, channel, code, joinText, say, type Text, user } from '../../core/text/text.ts';
import { postTo } from './deliver.ts';
import { type AuditDeps, type AuditHealth, placeOf, type SlackDeps } from './deps.ts';
import { createReplies } from './replies.ts';
import { slackErrorOf } from './web.ts';

/**
 * One line in the audit channel for each change that was done, failed, is unknown or was denied by
 * an approver; nothing for reads. A line that cannot be posted is logged: the journal has it all
 * the same. Design: §6.
 */
export function createAuditObserver(deps: SlackDeps): Observer {
  const post = (card: ChannelCard, entry: OpenEntry): void => {
    void deps.track(postAudit(card, deps, { reference: entry.reference }));
  };
  return {
    finished: (finished) => {
      const card = changeLine(finished);
      if (card !== undefined) post(card, finished.outcome.entry);
    },
    settled: (settlement) => {
      if (settlement.to === 'denied') post(denialLine(settlement), settlement.entry);
    },
  };
}

export function createAuditHealth(): AuditHealth {
  let last: ReturnType<Status['audit']>;
  return {
    failure: () => last,
    note: (failure) => {
      last = failure;
    },
  };
}

/** To the audit channel, where one is set; false where nobody can have read it. Throws nothing. */
export async function postAudit(
  card: ChannelCard,
  deps: AuditDeps,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const { channel: channelId } = deps.ports.settings.get().audit;
  if (channelId === undefined) return false;
  try {
    await postTo(channelId, card, deps);
    deps.auditHealth.note(undefined);
    return true;
  } catch (cause) {
    const reason = slackErrorOf(cause) ?? 'no answer';
    deps.auditHealth.note({ channelId, reason, at: deps.ports.clock.now().toISO() });
    deps.logger.error({ ...fields, channelId, cause }, 'an audit line was not posted');
    return false;
  }
}

/**
 * Before it happens: in the audit channel and where it was asked for. True when one of them took it;
 * without an answer from Slack nobody knows, and then it does not count. Design: §6.
 */
export function createAnnouncer(deps: AuditDeps): PipelineDeps['announce'] {
  return async (card, place) => {
    const audit = deps.ports.settings.get().audit.channel;
    const here = place === 'home' || place.channelId === audit ? undefined : place.channelId;
    const told = await Promise.all([postAudit(card, deps), here !== undefined && tell(here)]);
    return told.some(Boolean);

    async function tell(channelId: string): Promise<boolean> {
      try {
        await postTo(channelId, card, deps);
        return true;
      } catch (cause) {
        deps.logger.warn({ channelId, cause }, 'break-glass was not announced here');
        return false;
      }
    }
  };
}

/** Undefined for reads and for what is only a step on the way: forms, questions, refusals. */
export function changeLine(finished: Finished): ChannelCard | undefined {
  const { operation, request, outcome, journaled, targets, approvedBy, brokeGlass } = finished;
  if (operation.risk === 'read') return undefined;
  if (journaled !== 'done' && journaled !== 'failed' && journaled !== 'unknown') return undefined;
  const fault = outcome.kind === 'failed' ? say` (${outcome.error.code})` : [];
  const state = say`${bold(journaled)}${fault}`;
  const parts: readonly Text[] = [
    say`${state} ${code(operation.id)}`,
    ...(targets.length === 0 ? [] : [namesOf(targets)]),
    say`${user(request.actor.userId)}${whereOf(request.place)}`,
    ...(approvedBy === undefined ? [] : [say`approved by ${user(approvedBy)}`]),
    ...(request.origin === 'schedule' ? [say`by schedule`] : []),
    entryOf(outcome.entry),
  ];
  const glass = brokeGlass === undefined ? [] : say`${bold('Break-glass')}, without an approval: `;
  return {
    audience: 'channel',
    tone: brokeGlass !== undefined || journaled === 'unknown' ? 'warning' : 'plain',
    headline: say`${glass}${joinText(parts, ' · ')}`,
    lines: brokeGlass === undefined ? [] : [say`Reason: ${brokeGlass}`],
  };
}

/** A request that an approver denied. */
export function denialLine({ operation, pending, by, note, entry }: Settlement): ChannelCard {
  const parts: readonly Text[] = [
    say`${bold('denied')} ${code(operation.id)}`,
    operation.refused(spokenInput(pending.input, pending.options?.names)),
    say`asked by ${user(pending.actor.userId)}${whereOf(placeOf(pending.channelId))}`,
    say`denied by ${user(by.userId)}`,
    say`journal ${pending.journal}, ${entry.number} (${code(entry.reference)})`,
  ];
  return {
    audience: 'channel',
    tone: 'plain',
    headline: joinText(parts, ' · '),
    lines: note === undefined ? [] : [say`Reason: ${note}`],
  };
}

function namesOf(targets: readonly { readonly name: string }[]): Text {
  return joinText(
    targets.map(({ name }) => bold(name)),
    ', ',
  );
}

function whereOf(place: Place): Text {
  return place === 'home' ? [] : say` in ${channel(place.channelId)}`;
}

function entryOf({ number, reference }: OpenEntry): Text {
  return say`journal ${number} (${code(reference)})`;
}

/**
 * Tells of each operation that a crash interrupted: its outcome is unknown and it is not repeated.
 * In the channel where it was asked for, else to the person, and in the audit channel. Design: §1.
 */
export async function reportInterrupted(
  entries: readonly JournalEntry[],
  deps: SlackDeps,
): Promise<void> {
  const audit = deps.ports.settings.get().audit.channel;
  for (const entry of entries) {
    const card = interruptedCard(entry);
    const channels = new Set([entry.channelId, audit].filter((id) => id !== undefined));
    try {
      for (const channelId of channels) await postTo(channelId, card, deps);
      if (channels.size === 0) {
        await createReplies(deps).to({ actor: entry.actor, place: 'home' }).tell(card.headline);
      }
    } catch (cause) {
      deps.logger.error({ reference: entry.reference, cause }, 'an unknown outcome was not told');
    }
  }
}

function interruptedCard(entry: JournalEntry): ChannelCard {
  const on = entry.targets.length === 0 ? [] : say` on ${namesOf(entry.targets)}`;
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`Outcome unknown: ${code(entry.operation)}${on}, asked by ${user(entry.actor.userId)}, was interrupted by a restart of Steward. It was not sent again. Check the console before trying again. Reference ${code(entry.reference)}.`,
    details: [{ label: 'Journal', value: say`${entry.number}` }],
  };
}
