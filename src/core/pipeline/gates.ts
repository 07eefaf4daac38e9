import { type ChannelCard, namesOf } from '../card/card.ts';
import type { Double, Planned } from '../operation/operation.ts';
import type { OutcomeBody } from '../operation/outcome.ts';
import { asksAlready } from '../operation/repeats.ts';
import { BREAK_GLASS, type Decision, plannedBy } from '../ports/decision.ts';
import { channelOf } from '../ports/ports.ts';
import { bold, joinText, reasonLines, say, time, user, whoText } from '../text/text.ts';
import { refusalOf, settledMeanwhile } from './press.ts';
import type { Step } from './request.ts';
import { refusedText } from './step.ts';

/** How long a question to the asker stands. */
const CONFIRM_WITHIN_MS = 10 * 60_000;

type Allowed = Extract<Decision, { allowed: true }>;
/** `announce`: has to be told before the effect, or there is none. */
type Gate = OutcomeBody | { readonly kind: 'open'; readonly announce?: ChannelCard | undefined };

/**
 * The questions between a permitted plan and its execution: nothing of the kind running or known
 * already, a second person where the rule asks for one, else the asker's own press. A press is
 * claimed atomically, so that of two one runs. Design: §6.
 */
export async function passGates(step: Step, plan: Planned, decision: Allowed): Promise<Gate> {
  const busy = await alreadyRunning(step, plan);
  if (busy !== undefined) return busy;
  if (step.press?.kind === 'run') {
    const claimed = await claim(step);
    if (claimed.kind !== 'open') return claimed;
  }
  if (step.operation.risk === 'read') return { kind: 'open' };
  if (step.request.origin === 'schedule') return scheduleGate(step, decision);
  const known = asksAbout(step, plan.doubles);
  if (known !== undefined) return known;
  if (decision.approval !== undefined) {
    const glass = await breakGlass(step, plan);
    if (glass === undefined) return await approvalGate(step, plan, decision.approval);
    // A question that the rules now want approved: its press still counts once.
    const claimed = glass.kind === 'open' ? await claim(step) : glass;
    return claimed.kind === 'open' ? glass : claimed;
  }
  return await confirmationGate(step, plan);
}

/** Nobody can be asked: it acts within its rules, or with a plan that was approved, or not at all. */
function scheduleGate(step: Step, { approval }: Allowed): Gate {
  if (approval === undefined) return { kind: 'open' };
  const by = plannedBy(approval, step.request.approvedPlan ?? []);
  if (by.length > 0) {
    step.plannedBy = by;
    return { kind: 'open' };
  }
  const text = say`it needs an approval by ${whoText(approval.by)}, which nobody can give to a schedule at that moment`;
  return { kind: 'notice', because: 'denied', text };
}

async function approvalGate(
  step: Step,
  plan: Planned,
  approval: NonNullable<Allowed['approval']>,
): Promise<Gate> {
  const { request, press, deps } = step;
  if (press?.kind !== 'approval' || request.grant?.pending.planHash !== plan.digest) {
    if ((await deps.policy.hasOthers(request.actor, approval.by)) === 'no') {
      const text = say`${refusedText(step)}: nobody but you is in ${whoText(approval.by)}, so nobody could approve it.`;
      return { kind: 'notice', because: 'denied', text };
    }
    const known = asksAbout(step, await openRequests(step, plan));
    return known ?? (await ask(step, plan, { kind: 'approval', ...approval }));
  }
  const member = await deps.policy.isOneOf(press.presser, approval.by);
  if (member !== 'yes') {
    const text = refusalOf(member, approval.by, deps.policy);
    return { kind: 'notice', because: 'denied', text };
  }
  return await claim(step);
}

async function confirmationGate(step: Step, plan: Planned): Promise<Gate> {
  const { request, operation } = step;
  const press = step.press?.kind === 'run' ? undefined : step.press;
  const fits = press !== undefined && request.grant?.pending.planHash === plan.digest;
  if (fits) return await claim(step);
  if (operation.confirm === 'press' || request.asksFirst === true || press !== undefined) {
    return await ask(step, plan, { kind: 'confirm', by: [], withinMs: CONFIRM_WITHIN_MS });
  }
  return { kind: 'open' };
}

async function claim(step: Step): Promise<Gate> {
  const { request, press, deps } = step;
  const pending = request.grant?.pending;
  if (pending === undefined || press === undefined || step.claimed) return { kind: 'open' };
  step.claimed = true;
  if (await deps.pending.settle(pending.id, 'claimed', press.presser.userId))
    return { kind: 'open' };
  const text = await settledMeanwhile(pending.id, deps);
  return { kind: 'notice', because: 'already', text };
}

/** What the asker was not yet shown of it wants one more press. */
function asksAbout({ request, operation }: Step, doubles: readonly Double[]): Gate | undefined {
  const known = request.options?.knowing ?? [];
  const found = doubles.filter(({ key }) => !known.includes(key));
  if (found.length === 0) return undefined;
  return {
    kind: 'repeat',
    found: found.map(({ text }) => text),
    knowing: [...known, ...found.map(({ key }) => key)],
    label: operation.again,
  };
}

/** The same plan, asked for and not yet answered: two approvals would run it twice. */
async function openRequests(step: Step, plan: Planned): Promise<readonly Double[]> {
  const { deps, request } = step;
  const open = await deps.pending.open();
  return open
    .filter(({ kind, planHash }) => kind === 'approval' && planHash === plan.digest)
    .filter(({ id }) => id !== request.grant?.pending.id)
    .map((pending) => asksAlready(pending, deps.ports.clock.now()));
}

type NewQuestion = {
  readonly kind: 'confirm' | 'approval';
  readonly by: readonly string[];
  readonly withinMs: number;
};

async function ask(step: Step, plan: Planned, asked: NewQuestion): Promise<Gate> {
  const { request, operation, deps, entry, press } = step;
  if (plan.preview === undefined) throw new TypeError(`${operation.id} asks without a preview.`);
  const known = plan.doubles.map(({ text }) => text);
  const reason = reasonLines(request.options?.reason);
  const preview = { ...plan.preview, lines: [...reason, ...plan.preview.lines, ...known] };
  const expires = deps.ports.clock.now().plus({ milliseconds: asked.withinMs });
  const pending = await deps.pending.create({
    kind: asked.kind,
    operation: operation.id,
    input: request.raw,
    options: { ...request.options, names: namesOf(plan.targets) },
    actor: request.actor,
    planHash: plan.digest,
    approvers: asked.by,
    expiresAt: expires.toISO(),
    journal: entry.number,
    channelId: channelOf(request.place),
  });
  if (asked.kind === 'approval') return { kind: 'approval', pending, preview };
  const changed = press !== undefined && press.kind !== 'run';
  return { kind: 'confirm', pending, preview, changed };
}

async function alreadyRunning(step: Step, plan: Planned): Promise<Gate | undefined> {
  const { operation, deps } = step;
  if (operation.risk === 'read') return undefined;
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
  const reason = request.options?.breakGlass;
  if (reason === undefined) return undefined;
  if (reason === '') {
    const problem = say`Going ahead without an approval needs its reason: add it at the end, as in --break-glass the disk is full.`;
    return { kind: 'problem', problem: { field: '', problem } };
  }
  const decision = await deps.policy.decide(request.actor, request.place, {
    action: BREAK_GLASS,
    risk: operation.risk,
    targets: plan.targets,
    fresh: true,
  });
  step.decision = decision;
  if (!decision.allowed) {
    return { kind: 'denied', headline: refusedText(step), decision };
  }
  step.brokeGlass = reason;
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
      headline: say`${bold('Break-glass')}: ${user(request.actor.userId)} goes ahead without an approval: ${ask}.`,
      lines: [say`Reason: ${reason}`],
      facts: [{ label: 'On', value: names }],
    },
  };
}
