import type { OpenEntry } from '../ports/journal.ts';
import type { AnswerTo, Notification } from '../ports/outbox.ts';
import type { Pending } from '../ports/pending.ts';
import type { Actor } from '../ports/ports.ts';
import { say, type Text, time, user } from '../text/text.ts';
import { cleanTyped } from '../text/typed-text.ts';
import { refuseFlood } from './flood.ts';
import { isAsker, judgePress, settledMeanwhile, settledText, whoUnknown } from './press.ts';
import type { PipelineDeps, Received } from './request.ts';

export type Settling = {
  readonly kind: 'cancel' | 'deny';
  readonly pending: Pending;
  readonly by: Actor;
  /** A denial's reason. */
  readonly note?: string | undefined;
  readonly received?: Received | undefined;
  /** What the press brought along: the pressed question says its last word there. */
  readonly answerTo?: AnswerTo | undefined;
};

export type Settled =
  | { readonly ok: false; readonly text: Text }
  | {
      readonly ok: true;
      readonly text: Text;
      readonly to: 'denied' | 'cancelled';
      /** Redacted. */
      readonly note?: string | undefined;
      readonly notifications: readonly Notification[];
    };

/**
 * Cancels a question or denies a request, with a journal row. Cancelling is the asker's right;
 * denying an approver's, and the asker may withdraw their own request. Design: §6.
 */
export async function settlePending(settling: Settling, deps: PipelineDeps): Promise<Settled> {
  const { kind, pending, by, received, answerTo } = settling;
  const { operation } = pending;
  if (received === undefined) {
    const flooded = await refuseFlood({ operation, actor: by, origin: 'button' }, deps);
    if (flooded !== undefined) return { ok: false, text: flooded.text };
  } else received.closed = true;
  const input = { [kind]: pending.id };
  const { journal: parent, channelId } = pending;
  const as = { operation, actor: by, input, parent, channelId };
  const opening = { ...as, origin: 'button', answerTo };
  const entry = received?.entry ?? (await deps.journal.open(opening));
  const settled = await attempt(settling, entry, deps);
  await deps.journal.close(entry, {
    as: received && as,
    outcome: settled.ok && settled.to !== 'denied' ? 'done' : 'denied',
    decision: settled.ok ? whatOf(settled, pending) : undefined,
    detail: settled.ok ? settled.note : 'refused',
    planHash: pending.planHash,
  });
  return settled;
}

/** What the press did, in words that the log shows in place of an outcome. */
function whatOf({ to }: Extract<Settled, { ok: true }>, pending: Pending): string {
  if (pending.kind === 'confirm') return 'question cancelled';
  return to === 'denied' ? 'request denied' : 'request withdrawn';
}

async function attempt(settling: Settling, entry: OpenEntry, deps: PipelineDeps): Promise<Settled> {
  const { pending, by } = settling;
  const note = noteOf(settling, deps);
  const refusal = await refusalOf(pending, by, deps);
  if (refusal !== undefined) return { ok: false, text: refusal };
  const own = (await isAsker(pending, by, deps)) === 'yes';
  const to = own ? 'cancelled' : 'denied';
  const operation = deps.registry.find(pending.operation);
  const at = deps.ports.clock.now().toISO();
  const text = settledSentence(to, settling, deps);
  const { answerTo } = settling;
  const notifications =
    operation === undefined
      ? []
      : deps.notifier.settled({ operation, pending, by, to, note, at, entry, text, answerTo });
  if (!(await deps.pending.settle(pending.id, to, by.userId, { note, notifications }))) {
    return { ok: false, text: await settledMeanwhile(pending.id, deps) };
  }
  return { ok: true, text, to, note, notifications };
}

/** Redacted, because it is shown and kept. */
function noteOf({ note }: Settling, deps: PipelineDeps): string | undefined {
  const text = deps.redact(cleanTyped(note ?? '').trim()).slice(0, 500);
  return text === '' ? undefined : text;
}

async function refusalOf(
  pending: Pending,
  by: Actor,
  deps: PipelineDeps,
): Promise<Text | undefined> {
  const over = settledText(pending, deps.ports.clock.now().toISO());
  if (over !== undefined) return over;
  const own = await isAsker(pending, by, deps);
  if (own === 'yes') return undefined;
  if (own === 'unknown') return whoUnknown(deps.policy);
  const press = await judgePress({ pending, presser: by }, deps);
  return press.kind === 'refused' ? press.text : undefined;
}

function settledSentence(
  to: 'denied' | 'cancelled',
  { pending, by }: Settling,
  deps: PipelineDeps,
): Text {
  if (pending.kind === 'confirm') return say`Cancelled; nothing was done.`;
  const at = time(deps.ports.clock.now().toISO(), 'time');
  const how = to === 'denied' ? 'Denied' : 'Withdrawn';
  return say`${how} by ${user(by.userId)} at ${at}; nothing was done.`;
}
