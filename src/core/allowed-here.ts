import type { Context } from './operation.ts';
import type { ReadPorts } from './operation-ports.ts';
import type { OperationInfo } from './registry.ts';

/**
 * The operations that this person may ask for in this place, in the list's order, by the policy's
 * own function: help, menu and App Home show nothing else. Design: §5.
 */
export async function allowedHere(
  ports: Pick<ReadPorts, 'policy' | 'catalogue'>,
  context: Pick<Context, 'actor' | 'place'>,
): Promise<readonly OperationInfo[]> {
  const decisions = await Promise.all(
    ports.catalogue.map(async (operation) => ({
      operation,
      decision: await ports.policy.decide(context.actor, context.place, {
        action: operation.id,
        risk: operation.risk,
        ...(operation.open === undefined ? {} : { open: operation.open }),
      }),
    })),
  );
  return decisions.filter(({ decision }) => decision.allowed).map(({ operation }) => operation);
}
