import type { ChannelCard } from './card.ts';
import type { Decision } from './decision.ts';
import type { Planned } from './operation.ts';
import type { OutcomeBody } from './outcome.ts';
import { settledMeanwhile } from './press.ts';
import type { Step } from './step.ts';
import { bold, joinText, say, time, user, whoText } from './text.ts';

/** How long a question to the asker stands. */
const CONFIRM_WITHIN_MS = 10 * 60_000;

/** The permission that lets a person go ahead without the approval a rule asks for. */
export const BREAK_GLASS = 'approval.break-glass';

type Allowed = Extract<Decision, { allowed: true }>;
type Gate = OutcomeBody | { readonly kind: 'open'; readonly announce?: ChannelCard };

/**
 * The questions between a permitted plan and its execution: nothing of the kind running already, a
 * second person where the rule asks for one, else the asker's own press. The last step claims the
 * question atomically, so that of two presses one runs. Design: §6.
 */
export async function passGates(step: Step, plan: Planned, decision: Allowed): Promise<Gate> {
  if (step.operation.risk === 'read') return { kind: 'open' };
  const busy = await alreadyRunning(step, plan);
  if (busy !== undefined) return busy;
  if (decision.approval !== undefined) {
    const glass = await breakGlass(step, plan);
    return glass ?? (await approvalGate(step, plan, decision.approval));
  }
  return await confirmationGate(step, plan);
}

async function approvalGate(
  step: Step,
  plan: Planned,
  approval: NonNullable<Allowed['approval']>,
): Promise<Gate> {
  const { request, press, deps } = step;
  if (press?.kind !== 'approval' || request.grant?.pending.planHash !== plan.digest) {
    return await ask(step, plan, { kind: 'approval', ...approval });
  }
  if (!(await deps.policy.isOneOf(press.presser, approval.by))) {
    const groups = whoText(approval.by);
    return { kind: 'notice', because: 'denied', text: say`Only ${groups} can approve this.` };
  }
  return await claim(step);
}

async function confirmationGate(step: Step, plan: Planned): Promise<Gate> {
  const { request, operation, press } = step;
  const fits = press !== undefined && request.grant?.pending.planHash === plan.digest;
  if (fits) return await claim(step);
  if (operation.confirm === 'press' || press !== undefined) {
    return await ask(step, plan, { kind: 'confirm', by: [], withinMs: CONFIRM_WITHIN_MS });
  }
  return { kind: 'open' };
}

async function claim(step: Step): Promise<Gate> {
  const { request, press, deps } = step;
  const pending = request.grant?.pending;
  if (pending === undefined || press === undefined) return { kind: 'open' };
  if (await deps.pending.settle(pending.id, 'claimed', press.presser.userId))
    return { kind: 'open' };
  const text = await settledMeanwhile(pending.id, deps);
  return { kind: 'notice', because: 'already', text };
}

type Asked = {
  readonly kind: 'confirm' | 'approval';
  readonly by: readonly string[];
  readonly withinMs: number;
};

async function ask(step: Step, plan: Planned, asked: Asked): Promise<Gate> {
  const { request, operation, deps, entry, press } = step;
  const { preview } = plan;
  if (preview === undefined) throw new TypeError(`${operation.id} asks without a preview.`);
  const expires = deps.ports.clock.now().plus({ milliseconds: asked.withinMs });
  const pending = await deps.pending.create({
    kind: asked.kind,
    operation: operation.id,
    input: request.raw,
    actor: request.actor,
    planHash: plan.digest,
    approvers: asked.by,
    expiresAt: expires.toISO() ?? '',
    journal: entry.number,
    ...(request.place === 'home' ? {} : { channelId: request.place.channelId }),
  });
  if (asked.kind === 'approval') return { kind: 'approval', pending, preview };
  return { kind: 'confirm', pending, preview, changed: press !== undefined };
}

async function alreadyRunning(step: Step, plan: Planned): Promise<Gate | undefined> {
  const { operation, deps } = step;
  for (const target of plan.targets) {
    const running = await deps.journal.running(operation.id, target.id);
    // Another plan on the same target, as a second pipe, is another matter.
    if (running === undefined || running.planHash !== plan.digest) continue;
    const since = time(running.openedAt, 'time');
    const by = user(running.actor.userId);
    const text = say`Already running on ${bold(target.name)} since ${since}, asked by ${by}.`;
    return { kind: 'notice', because: 'already', text };
  }
  return undefined;
}

/** With a reason and the permission of its own it runs at once and is announced. Design: §6. */
async function breakGlass(step: Step, plan: Planned): Promise<Gate | undefined> {
  const { request, operation, deps } = step;
  const reason = request.breakGlass;
  if (reason === undefined) return undefined;
  if (reason.trim() === '') {
    const message = 'Give a reason: --break-glass "why it cannot wait".';
    return { kind: 'form', raw: request.raw, issues: [{ field: '', message }] };
  }
  const decision = await deps.policy.decide(request.actor, request.place, {
    action: BREAK_GLASS,
    risk: operation.risk,
    targets: plan.targets,
  });
  step.decision = decision;
  if (!decision.allowed) {
    return { kind: 'denied', headline: operation.refused(request.raw), decision };
  }
  const why = deps.redact(reason.trim()).slice(0, 500);
  step.brokeGlass = why;
  const ask = plan.preview?.ask ?? [operation.id];
  const names = joinText(
    plan.targets.map((target) => bold(target.name)),
    ', ',
  );
  return {
    kind: 'open',
    announce: {
      audience: 'channel',
      tone: 'warning',
      headline: say`${bold('Break-glass')}: ${user(request.actor.userId)} went ahead without an approval: ${ask}.`,
      lines: [say`Reason: ${why}`],
      facts: [{ label: 'On', value: names }],
    },
  };
}
