import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/text/json.ts';

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

function hashOf(payload: unknown): string {
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}
