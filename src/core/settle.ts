import type { PipelineDeps } from './pipeline.ts';
import type { Actor, Pending } from './ports.ts';
import { judgePress, samePerson, settledText } from './press.ts';
import { say, type Text, time, user } from './text.ts';

export type Settling = {
  readonly kind: 'cancel' | 'deny';
  readonly pending: Pending;
  readonly by: Actor;
  /** A denial's reason. */
  readonly note?: string;
};

export type Settled = { readonly ok: boolean; readonly text: Text };

/**
 * Cancels a question or denies a request, with a journal row. Cancelling is the asker's right;
 * denying an approver's, and the asker may withdraw their own request. Design: §6.
 */
export async function settlePending(settling: Settling, deps: PipelineDeps): Promise<Settled> {
  const { kind, pending, by } = settling;
  const entry = await deps.journal.open({
    operation: pending.operation,
    actor: by,
    input: { [kind]: pending.id },
    origin: 'button',
    parent: pending.journal,
    ...(pending.channelId === undefined ? {} : { channelId: pending.channelId }),
  });
  const settled = await attempt(settling, deps);
  await deps.journal.close(entry, {
    outcome: settled.ok ? 'done' : 'denied',
    detail: settled.ok ? (kind === 'deny' ? 'request denied' : 'question cancelled') : 'refused',
    planHash: pending.planHash,
  });
  return settled;
}

async function attempt(settling: Settling, deps: PipelineDeps): Promise<Settled> {
  const { kind, pending, by, note } = settling;
  const refusal = await refusalOf(pending, by, deps);
  if (refusal !== undefined) return { ok: false, text: refusal };
  const own = samePerson(pending.actor, by);
  const to = kind === 'deny' && !own ? 'denied' : 'cancelled';
  if (!(await deps.pending.settle(pending.id, to, by.userId, note))) {
    const now = deps.ports.clock.now().toISO() ?? '';
    const current = await deps.pending.get(pending.id);
    const over = current === undefined ? undefined : settledText(current, now);
    return { ok: false, text: over ?? say`This is no longer open.` };
  }
  return { ok: true, text: settledSentence(to, settling, deps) };
}

async function refusalOf(
  pending: Pending,
  by: Actor,
  deps: PipelineDeps,
): Promise<Text | undefined> {
  const over = settledText(pending, deps.ports.clock.now().toISO() ?? '');
  if (over !== undefined) return over;
  if (samePerson(pending.actor, by)) return undefined;
  const press = await judgePress({ pending, presser: by }, deps);
  return press.kind === 'refused' ? press.text : undefined;
}

function settledSentence(
  to: 'denied' | 'cancelled',
  { pending, by, note }: Settling,
  deps: PipelineDeps,
): Text {
  if (pending.kind === 'confirm') return say`Cancelled; nothing was done.`;
  const at = time(deps.ports.clock.now().toISO() ?? '', 'time');
  const why = note === undefined || note === '' ? [] : say` ${deps.redact(note)}`;
  return to === 'denied'
    ? say`Denied by ${user(by.userId)} at ${at}; nothing was done.${why}`
    : say`Withdrawn by ${user(by.userId)} at ${at}; nothing was done.`;
}
