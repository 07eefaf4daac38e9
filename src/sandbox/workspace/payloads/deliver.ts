import { copyOf } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Ack, Delivery, EnvelopeKind } from '../state/world-types.ts';

/** How long the real service waits for an acknowledgement, in ms. */
const ackLimit = 3_000;
/** How many are kept to be sent again. */
const keptDeliveries = 99;

/**
 * Hands a payload to the bot and waits for its answer, at most 3 s of the workspace's clock. A later
 * answer changes nothing; it is only logged as late.
 */
export async function deliver(world: World, kind: EnvelopeKind, payload: Json): Promise<Ack> {
  return await send(world, newDelivery(world, kind, payload));
}

/** A payload in a fresh envelope; it becomes what `redeliver` sends again. */
export function newDelivery(world: World, kind: EnvelopeKind, payload: Json): Delivery {
  const delivery: Delivery = {
    kind,
    envelopeId: world.ids.next('envelope-'),
    payload: copyOf(payload),
    retry: { attempt: 0, reason: '' },
  };
  world.deliveries = [...world.deliveries.slice(-keptDeliveries), delivery];
  return delivery;
}

/** The newest delivery of a kind; of any kind but events, if there is one, when none is named. */
export function lastDelivery(world: World, kind?: EnvelopeKind): Delivery | null {
  const newest = world.deliveries.at(-1) ?? null;
  if (kind !== undefined) {
    return world.deliveries.findLast((delivery) => delivery.kind === kind) ?? null;
  }
  return world.deliveries.findLast((delivery) => delivery.kind !== 'events_api') ?? newest;
}

/** The same delivery once more, under the same envelope id, as after a lost acknowledgement. */
export async function redeliver(world: World, delivery: Delivery, reason: string): Promise<Ack> {
  const retry = { attempt: delivery.retry.attempt + 1, reason };
  return await send(world, { ...delivery, payload: copyOf(delivery.payload), retry });
}

/** Sends a delivery that exists already; see `deliver`. */
export async function send(world: World, delivery: Delivery): Promise<Ack> {
  const { transport, traffic, signal: lifetime } = world;
  const startedAt = traffic.start();
  const what = nameOf(delivery);
  if (transport === null || !transport.connected()) {
    return log({ ok: false, error: 'dispatch_failed' }, 'the bot is not connected');
  }
  const timer = new AbortController();
  const signal = AbortSignal.any([timer.signal, lifetime]);
  let settled = false;
  const timeout = world.settings.clock.sleep(ackLimit, signal).then(
    (): Ack => ({ ok: false, error: 'operation_timeout' }),
    (): Ack => ({ ok: false, error: 'operation_timeout' }),
  );
  const answer = transport.send(delivery).then((ack): Ack => {
    if (settled) log(ack, 'the answer came after 3 s: the person saw a failure');
    const lost = delivery.kind !== 'events_api' && world.faults.takeHeldAck();
    return lost ? { ok: false, error: 'operation_timeout' } : ack;
  });
  const ack = await Promise.race([answer, timeout]);
  settled = true;
  timer.abort(new Error('The answer has come.'));
  return log(ack, ack.ok ? undefined : ack.error);

  function log(answered: Ack, problem: string | undefined): Ack {
    // What was under way before a reset belongs to no log.
    if (lifetime.aborted) return answered;
    const sent = { ...delivery };
    traffic.add({ direction: 'to-bot', what, sent, answered, problem, startedAt });
    return answered;
  }
}

function nameOf(delivery: Delivery): string {
  const { kind, payload } = delivery;
  if (kind === 'slash_commands') return kind;
  const event = payload['event'];
  const inner = kind === 'events_api' && typeof event === 'object' && event !== null ? event : null;
  const type = inner !== null && 'type' in inner ? inner.type : payload['type'];
  return typeof type === 'string' ? type : kind;
}
