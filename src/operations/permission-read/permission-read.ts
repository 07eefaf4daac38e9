import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { personField, personId } from '../../core/operation/fields.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { operationNamed } from '../../core/operation/registry.ts';
import {
  isProblem,
  resolveService,
  serviceTarget,
  visibleServices,
} from '../../core/operation/resolve.ts';
import { type Decision, inThirdPerson } from '../../core/ports/decision.ts';
import { type Actor, type DirectoryEntry, scheduleOf } from '../../core/ports/ports.ts';
import {
  bold,
  code,
  counted,
  joinText,
  say,
  type Text,
  user,
  whoText,
} from '../../core/text/text.ts';

const input = z.strictObject({
  who: personField.meta({
    field: {
      label: 'Who',
      widget: 'person',
      only: /^(?:<?@|schedule:)/u,
      hint: 'Yourself if empty.',
    },
  }),
  action: z
    .string()
    .trim()
    .min(1)
    .meta({ field: { label: 'Action', placeholder: 'stop', hint: 'A command or a permission.' } }),
  service: z
    .string()
    .trim()
    .optional()
    .meta({ field: { label: 'Service', widget: 'service' } }),
});

type Plan = {
  readonly userId: string | undefined;
  readonly operation: OperationInfo;
  readonly entry: DirectoryEntry | undefined;
};

/** `/db can @ana stop analytics`: the decision and its rule, without doing anything. Design: §5. */
export const permissionRead = defineOperation({
  id: 'permission.read',
  summary: 'Ask whether someone may do something here',
  title: 'May someone do it?',
  risk: 'read',
  open: true,
  slash: {
    words: ['can'],
    positional: ['who', 'action', 'service'],
    examples: ['can stop scratch', 'can <@U02BEN> stop scratch'],
  },
  input,
  refused: () => say`The question was not answered`,
  plan: async (typed, ports, context): Promise<Plan | Problem> => {
    const operation = operationNamed(typed.action, ports.catalogue, {
      field: 'action',
      as: 'action',
    });
    if (isProblem(operation)) return operation;
    if (typed.service === undefined || typed.service === '') {
      return { userId: personId(typed.who), operation, entry: undefined };
    }
    const about = { raw: typed, field: 'service' };
    const entry = await resolveService(typed.service, about, ports, context);
    return isProblem(entry) ? entry : { userId: personId(typed.who), operation, entry };
  },
  targets: () => [],
  execute: async ({ userId, operation, entry }, ports, context) => {
    const actor = actorOf(userId, context.actor);
    const decision = await ports.policy.decide(actor, context.place, {
      action: operation.id,
      risk: operation.risk,
      open: operation.open,
      targets: entry && [serviceTarget(entry)],
    });
    const asksWhich = entry === undefined && operation.fields.some(isService);
    const services = asksWhich && decision.allowed ? await visibleServices(ports, context) : [];
    const each = await Promise.all(
      services.map(async (service): Promise<Single> => {
        const about = { action: operation.id, risk: operation.risk, open: operation.open };
        const targets = [serviceTarget(service)];
        const single = await ports.policy.decide(actor, context.place, { ...about, targets });
        return { name: service.name, decision: single };
      }),
    );
    return { result: { decision, each, userId: actor.userId } };
  },
  present: ({ decision, each, userId }, plan, context) =>
    present({ decision, each }, plan, userId === context.actor.userId ? 'You' : userId),
});

/** A schedule belongs to no workspace. */
function actorOf(userId: string | undefined, asker: Actor): Actor {
  const named = { userId: userId ?? asker.userId, teamId: asker.teamId };
  const nobody = { ...named, teamId: '' };
  return scheduleOf(nobody) === undefined ? named : nobody;
}

/** The answer for one service. */
type Single = { readonly name: string; readonly decision: Decision };
type Answer = { readonly decision: Decision; readonly each: readonly Single[] };

function isService({ widget }: OperationInfo['fields'][number]): boolean {
  return widget === 'service';
}

function present({ decision, each }: Answer, plan: Plan, userId: string): Card {
  const who = userId === 'You' ? say`You` : say`${user(userId)}`;
  const what = say`${code(plan.operation.id)}${plan.entry === undefined ? '' : ' on '}${plan.entry === undefined ? '' : bold(plan.entry.name)}`;
  return {
    audience: 'requester',
    tone: decision.allowed ? 'good' : 'problem',
    headline: decision.allowed
      ? say`${who} may use ${what} here${withReason(decision, plan)}${each.length === 0 ? withApproval(decision) : ''}.`
      : say`${who} may not use ${what} here: ${userId === 'You' ? decision.reason : inThirdPerson(decision.reason)}`,
    lines: [
      ...byApproval(each),
      ...(decision.allowed || decision.rule !== undefined
        ? [say`Decided by ${code(decision.rule ?? '')}.`]
        : []),
      ...(!decision.allowed && decision.hint !== undefined ? [decision.hint] : []),
    ],
  };
}

function withReason({ reason }: Extract<Decision, { allowed: true }>, { operation }: Plan): string {
  return reason === 'required' && operation.risk !== 'read' ? ', with a reason' : '';
}

function withApproval(decision: Extract<Decision, { allowed: true }>): Text {
  if (decision.approval === undefined) return [];
  return say`, with an approval by ${whoText(decision.approval.by)}`;
}

const NAMED = 5;

/** Without a service the answer depends on which: one line for each way to it. */
function byApproval(each: readonly Single[]): readonly Text[] {
  const ways = new Map<string, { readonly words: Text; readonly names: string[] }>();
  for (const { name, decision } of each) {
    const words = wayOf(decision);
    const key = JSON.stringify(words);
    const way = ways.get(key) ?? { words, names: [] };
    ways.set(key, way);
    way.names.push(name);
  }
  return [...ways.values()].map(({ words, names }) => {
    const shown = joinText(names.slice(0, NAMED).map(bold), ', ');
    const left = names.length - NAMED;
    return say`${words}: ${shown}${left > 0 ? ` and ${counted(left, 'more service')}` : ''}.`;
  });
}

function wayOf(decision: Decision): Text {
  if (!decision.allowed) return say`Not on`;
  if (decision.approval === undefined) return say`Without an approval`;
  return say`With an approval by ${whoText(decision.approval.by)}`;
}
