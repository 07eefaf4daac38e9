import { say } from '../text/text.ts';
import type { OperationInfo } from './info.ts';
import type { Context } from './operation.ts';
import type { ReadPorts } from './ports.ts';

export type AllowedHere = {
  readonly operations: readonly OperationInfo[];
  /** Slack did not say all that the rules ask for: there may be more. */
  readonly unsure: boolean;
};

/** For the end of a list that may be too short. */
export const PERHAPS_MORE = say`Slack did not say everything that the rules ask for, so something may be missing here; ask again in a moment.`;

/**
 * The operations that this person may ask for in this place, in the list's order, by the policy's
 * own function: help, menu and App Home show nothing else. Design: §5.
 */
export async function allowedHere(
  ports: Pick<ReadPorts, 'policy' | 'catalogue'>,
  context: Pick<Context, 'actor' | 'place'>,
): Promise<AllowedHere> {
  const decisions = await Promise.all(
    ports.catalogue.map(async (operation) => ({
      operation,
      decision: await ports.policy.decide(context.actor, context.place, {
        action: operation.id,
        risk: operation.risk,
        open: operation.open,
      }),
    })),
  );
  return {
    operations: decisions.filter(({ decision }) => decision.allowed).map((one) => one.operation),
    unsure: decisions.some(({ decision }) => !decision.allowed && decision.unsure === true),
  };
}
