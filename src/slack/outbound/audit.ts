import { type Card, type ChannelCard, spokenInput } from '../../core/card/card.ts';
import type { Status } from '../../core/operation/ports.ts';
import { subjectText } from '../../core/operation/subject.ts';
import type { Finished, PipelineDeps, Settlement } from '../../core/pipeline/request.ts';
import type { OpenEntry } from '../../core/ports/journal.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Place } from '../../core/ports/ports.ts';
import {
  bold,
  channel,
  code,
  joinText,
  link,
  reasonLines,
  say,
  type Text,
  user,
  whoText,
} from '../../core/text/text.ts';
import { slackErrorOf } from '../web/slack-failure.ts';
import type { CallDeps } from './approvers.ts';
import { postTo } from './deliver.ts';
import { type AuditDeps, type AuditHealth, placeOf } from './deps.ts';

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

/**
 * One line for each change that was done, failed or is unknown; undefined for reads and for what is
 * only a step on the way: forms, questions, refusals. Design: §6.
 */
export function changeLine(finished: Finished): ChannelCard | undefined {
  const { operation, request, outcome, journaled, targets, brokeGlass, reason } = finished;
  const { approvedBy, plannedBy } = finished;
  if (operation.risk === 'read') return undefined;
  if (journaled !== 'done' && journaled !== 'failed' && journaled !== 'unknown') return undefined;
  const subject = subjectText(operation, { targets, input: request.raw, makes: finished.makes });
  const fault = outcome.kind === 'failed' ? say` (${outcome.error.code})` : [];
  const state = say`${bold(journaled)}${fault}`;
  const parts: readonly Text[] = [
    say`${state} ${code(operation.id)}`,
    ...(subject.length === 0 ? [] : [subject]),
    say`${user(request.actor.userId)}${whereOf(request.place)}`,
    ...(approvedBy === undefined ? [] : [say`approved by ${user(approvedBy)}`]),
    ...(request.origin === 'schedule' ? [say`by schedule`] : []),
    ...(plannedBy === undefined
      ? []
      : [say`plan approved in ${code('steward.yaml')} by ${whoText(plannedBy)}`]),
    entryOf(outcome.entry),
  ];
  const glass = brokeGlass === undefined ? [] : say`${bold('Break-glass')}, without an approval: `;
  return {
    audience: 'channel',
    tone: brokeGlass !== undefined || journaled === 'unknown' ? 'warning' : 'plain',
    headline: say`${glass}${joinText(parts, ' · ')}`,
    lines: [...reasonLines(brokeGlass), ...reasonLines(reason)],
  };
}

/** The line with the way to the message that tells the same, where one stands. Throws nothing. */
export async function withWay(
  { card, journal }: Pick<Notification, 'card' | 'journal'>,
  { outbox, ports }: Pick<CallDeps, 'outbox' | 'ports'>,
): Promise<Card> {
  const stand = await outbox.places([journal]).catch(() => undefined);
  const message = stand?.get(journal);
  const href = message && ports.permalink(message);
  if (href === undefined) return card;
  return { ...card, headline: say`${card.headline} · ${link(href, 'message')}` };
}

/** A request that an approver denied; `href` leads to its message. */
export function denialLine(
  { operation, pending, by, note, entry }: Settlement,
  href?: string | undefined,
): ChannelCard {
  const parts: readonly Text[] = [
    say`${bold('denied')} ${code(operation.id)}`,
    operation.refused(spokenInput(pending.input, pending.options?.names)),
    say`asked by ${user(pending.actor.userId)}${whereOf(placeOf(pending.channelId))}`,
    say`denied by ${user(by.userId)}`,
    say`journal ${pending.journal}, ${entry.number} (${code(entry.reference)})`,
    ...(href === undefined ? [] : [say`${link(href, 'message')}`]),
  ];
  return {
    audience: 'channel',
    tone: 'plain',
    headline: joinText(parts, ' · '),
    lines: [...reasonLines(note), ...askedFor(pending)],
  };
}

function askedFor({ options }: Settlement['pending']): readonly Text[] {
  const reason = options?.reason;
  return reason === undefined ? [] : [say`Asked for because: ${reason}`];
}

function whereOf(place: Place): Text {
  return place === 'home' ? [] : say` in ${channel(place.channelId)}`;
}

function entryOf({ number, reference }: OpenEntry): Text {
  return say`journal ${number} (${code(reference)})`;
}
