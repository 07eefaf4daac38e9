import type { SlackDeps } from './deps.ts';

/**
 * True for the first delivery of a payload: Slack sends the same trigger again when it repeats one.
 * Without a trigger there is one claim for all: what cannot be told apart runs once. Design: §10.
 */
export function isFirstDelivery(
  triggerId: string | undefined,
  { deliveries }: Pick<SlackDeps, 'deliveries'>,
): Promise<boolean> {
  return deliveries.claim(`trigger:${triggerId ?? ''}`);
}
