import {
  type Aftermath,
  type Claimed,
  type DeliveryEnd,
  FRESH,
  type Notification,
  type NotificationKind,
  type Progress,
} from '../../../core/ports/outbox.ts';
import { say } from '../../../core/text/text.ts';
import { approversOf, type CallDeps, callsTo, endCall, endCalls, overText } from '../approvers.ts';
import { withWay } from '../audit.ts';
import type { AuditDeps, Delivery, SlackDeps } from '../deps.ts';
import { climbToRequest, createRequestListeners } from '../request-message.ts';
import { climbDown } from './ladder.ts';
import { type Letter, stepsOf } from './ways.ts';

export type DeliveryDeps = AuditDeps &
  Pick<SlackDeps, 'outbox' | 'pending' | 'track' | 'policy'> &
  Pick<CallDeps, 'ports'>;

/** At once, of what is due. */
const AT_ONCE = 10;
/** For so long messages are waited for: one that hangs holds back neither a round nor an audit line. */
const ROUND_MS = 2_000;

/**
 * Takes what people must learn to them: what this process wrote at once, what is due or was left by
 * another in rounds. How each ended is kept; where the database does not take that, it is kept here
 * until it does, so that nobody is told again. Design: §10.
 */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const unsaved = new Map<string, { readonly end: DeliveryEnd; readonly after?: Aftermath }>();
  const requests = createRequestListeners();
  let underWay = 0;

  /** Whether it is recorded, and with it what follows. */
  async function save(id: string, end: DeliveryEnd, after?: Aftermath): Promise<boolean> {
    const kept = after === undefined ? { end } : { end, after };
    try {
      if (await deps.outbox.settle(id, end, after)) {
        unsaved.delete(id);
        return true;
      }
      // Spooled: its row is written when the database takes it.
      unsaved.set(id, kept);
    } catch (cause) {
      unsaved.set(id, kept);
      deps.logger.error({ cause }, 'that a message was told could not be recorded yet');
    }
    return false;
  }

  async function deliverOne({ notification, progress }: Claimed): Promise<void> {
    const begin = (sofar: Progress) => begun({ notification, progress: sofar });
    const end = await climb({ notification, progress }, begin, deps);
    await save(notification.id, end, aftermathOf(notification, end));
    await afterwards(notification, end, deps);
    requests.told(notification);
    if (notification.kind === 'request') void deps.track(callApprovers(notification, end));
  }

  /**
   * After the request is told and recorded, so that its own end never waits for what Slack says of
   * people. A crash in between leaves the mention in the channel.
   */
  async function callApprovers(request: Notification, end: DeliveryEnd): Promise<void> {
    if (request.pending === undefined || end.state !== 'told' || !end.message) return;
    const approvers = await approversOf(request.pending, deps);
    const next = callsTo(approvers, { request, message: end.message }, deps);
    if (next.length === 0 || !(await save(request.id, end, { next }))) return;
    await Promise.all(next.map((one) => deliverOne({ notification: one, progress: FRESH })));
  }

  /** Without a database it is told all the same. */
  async function begun(claimed: Claimed): Promise<void> {
    try {
      await deps.outbox.begin(claimed);
    } catch (cause) {
      deps.logger.error({ cause }, 'that a message is on its way could not be recorded');
    }
  }

  async function deliver(notifications: readonly Notification[], recorded: boolean): Promise<void> {
    const told = recorded ? notifications : notifications.map(unrecorded);
    const lines = told.filter(({ kind }) => kind === 'audit');
    const others = told.filter(({ kind }) => kind !== 'audit');
    // An audit line leads to the message that it tells of, where that stands in time.
    const telling = sideBySide(others, recorded);
    await inTime(telling, deps);
    await Promise.all([telling, sideBySide(lines, recorded)]);
  }

  /** Those of one message in their order, all others at once. */
  async function sideBySide(
    notifications: readonly Notification[],
    recorded: boolean,
  ): Promise<void> {
    await Promise.all(
      notifications.map(async (notification) => {
        if (recorded && !(await isNext(notification, deps))) return;
        await deliverOne({ notification, progress: FRESH });
      }),
    );
  }

  return {
    deliver: (notifications, recorded) => deps.track(deliver(notifications, recorded)),
    round: () => deps.track(round()),
    onRequest: requests.add,
  };

  async function round(): Promise<void> {
    for (const [id, { end, after }] of unsaved) await save(id, end, after);
    const due = await deps.outbox.take(AT_ONCE - underWay);
    const delivered = Promise.all(
      due.map(async (claimed) => {
        underWay += 1;
        await deps.track(deliverOne(claimed)).finally(() => {
          underWay -= 1;
        });
      }),
    );
    await inTime(delivered, deps);
  }
}

/** What has to wait for an earlier one is left to a round. */
async function isNext(notification: Notification, { outbox }: DeliveryDeps): Promise<boolean> {
  try {
    if (await outbox.isNext(notification)) return true;
    await outbox.settle(notification.id, { state: 'later', progress: FRESH, inMs: 0 });
    return false;
  } catch {
    return true;
  }
}

async function inTime(work: Promise<unknown>, { clock }: DeliveryDeps): Promise<void> {
  const done = new AbortController();
  const late = clock.sleep(ROUND_MS, done.signal).catch(() => undefined);
  await Promise.race([work, late]);
  done.abort();
}

/** Where it stands, once it was told. */
function aftermathOf(notification: Notification, end: DeliveryEnd): Aftermath | undefined {
  const { kind, about, actor, journal, place } = notification;
  if (end.state !== 'told' || end.message === undefined) return undefined;
  const { message } = end;
  if (kind === 'approver' && about !== undefined) {
    return { stands: { about, userId: actor.userId, message } };
  }
  const isHere = place !== 'home' && place.channelId === message.channelId;
  if (!TELLS_ENTRY.has(kind) || !isHere || journal === 0) return undefined;
  return { stands: { journal, message } };
}

const TELLS_ENTRY: ReadonlySet<NotificationKind> = new Set(['outcome', 'request', 'unknown']);

async function climb(
  { notification, progress }: Claimed,
  begin: Letter['begin'],
  deps: DeliveryDeps,
): Promise<DeliveryEnd> {
  const { id, at, actor, place, responseUrl, kind, inThread, pending } = notification;
  if (kind === 'approver-end') return await endCalls(notification, progress, deps);
  if (kind === 'approver' && (await overText(notification.about, deps)) !== undefined) {
    return { state: 'told', by: 'nobody has to act' };
  }
  const card = kind === 'audit' ? await withWay(notification, deps) : notification.card;
  const letter = {
    ...{ card, inThread, begin, to: { actor, place, responseUrl }, mark: { id, at } },
    steps: stepsOf(notification),
    message: notification.message ?? (await requestPlace(notification, deps)),
    replace: kind === 'last-state',
    auditChannel: deps.ports.settings.get().audit.channel,
  };
  if (kind === 'request' && pending !== undefined) {
    return await climbToRequest(letter, { id: pending, progress }, deps);
  }
  const end = await climbDown(letter, deps, progress);
  if (kind === 'audit') noteHealth(end, deps);
  return end;
}

/** Where the request stands, as it is known now. */
async function requestPlace({ pending }: Notification, deps: DeliveryDeps) {
  if (pending === undefined) return undefined;
  try {
    return (await deps.pending.get(pending))?.message;
  } catch {
    return undefined;
  }
}

function noteHealth(end: DeliveryEnd, deps: DeliveryDeps): void {
  const { channel: channelId } = deps.ports.settings.get().audit;
  if (channelId === undefined) return;
  const at = deps.clock.now().toISO();
  if (end.state === 'told') {
    deps.auditHealth.note(undefined);
    return;
  }
  const reason = reasonOf(end);
  deps.auditHealth.note({ channelId, reason, at });
  deps.logger.error({ channelId, reason }, 'an audit line was not posted');
}

function reasonOf(end: Exclude<DeliveryEnd, { state: 'told' }>): string {
  return end.state === 'later' ? 'ratelimited' : end.reason.replace(/^audit: /u, '');
}

/** A request that nobody can see is over; one that perhaps stands there goes on. */
async function afterwards(
  notification: Notification,
  end: DeliveryEnd,
  deps: DeliveryDeps,
): Promise<void> {
  const { kind, pending, actor, place } = notification;
  if (kind === 'approver' && end.state === 'told' && end.message !== undefined) {
    return await endCall(notification, end.message, deps);
  }
  if (kind !== 'request' || pending === undefined) return;
  try {
    if (end.state !== 'undelivered') return;
    const goesOn = end.perhaps === true;
    if (!goesOn && !(await deps.pending.settle(pending, 'cancelled', 'steward'))) return;
    const headline = goesOn
      ? say`Slack did not confirm the message with your request. It is open all the same; where nobody sees it, ask again.`
      : say`Nobody can see your request here, so it is over and nothing was done: ${end.reason}.`;
    await climbDown(
      {
        card: { audience: 'requester', tone: 'warning', headline },
        to: { actor, place },
        steps: ['ephemeral', 'direct'],
      },
      deps,
    );
  } catch (cause) {
    deps.logger.error({ cause }, 'a request that nobody can see was not ended');
  }
}

function unrecorded(notification: Notification): Notification {
  const { card, kind } = notification;
  if (kind !== 'outcome') return notification;
  const line = say`It could not be recorded yet: that follows as soon as the database answers.`;
  return { ...notification, card: { ...card, lines: [...(card.lines ?? []), line] } };
}
