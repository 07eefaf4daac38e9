import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/text/json.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';

/**
 * What tells a payload from all others: its trigger, which Slack repeats with it; where there is
 * none, all that it holds. Facts: Repeats.
 */
export function deliveryOf(payload: { readonly trigger_id?: string | undefined }): string {
  return payload.trigger_id ?? hashOf(payload);
}

/** The same for events, which have an id instead of a trigger. */
export function eventDeliveryOf(payload: { readonly event_id?: string | undefined }): string {
  return payload.event_id ?? hashOf(payload);
}

/** True for the first delivery of a payload, false where Slack repeats one. Design: §10. */
export function isFirstDelivery(
  { delivery }: Pick<ReplyTo, 'delivery'>,
  { deliveries }: Pick<SlackDeps, 'deliveries'>,
): Promise<boolean> {
  if (delivery === undefined) throw new TypeError('There is no payload that could be repeated.');
  return deliveries.claim(`trigger:${delivery}`);
}

function hashOf(payload: unknown): string {
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}

/** Bolt's acknowledgement, of whatever it carries. */
export type Acknowledge = (response?: unknown) => Promise<void>;

/** Over HTTP a second acknowledgement throws; here the first one stands. */
export type Answer = Readonly<{ give: Acknowledge; given: () => boolean }>;

export function answerOnce(ack: Acknowledge): Answer {
  let given = false;
  return {
    give: (response) => {
      if (given) return Promise.resolve();
      given = true;
      const sent = ack(response);
      // Where nobody waits for it, a connection that has gone must not end the process.
      sent.catch(() => undefined);
      return sent;
    },
    given: () => given,
  };
}
