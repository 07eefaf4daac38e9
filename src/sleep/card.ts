import { DateTime } from 'luxon';
import type { CardAction, ChannelCard } from '../core/card/card.ts';
import type { Night, SleepAct, SleepingService, SleepRun, Snoozed } from '../core/ports/sleep.ts';
import { mayDelay } from '../core/ports/snooze.ts';
import type { SnoozeSettings } from '../core/settings/settings.ts';
import {
  bold,
  counted,
  joinText,
  listText,
  say,
  type Text,
  time,
  user,
} from '../core/text/text.ts';
import { unitsText } from '../cost/book/units.ts';
import { keptIn } from './act.ts';

type Around = {
  readonly snooze: SnoozeSettings | undefined;
  /** Nothing of the night will happen any more. */
  readonly settled: boolean;
};

export const NAMED = 40;

/**
 * What the one message of a night says now: the notice with its buttons, then what was said to it, then
 * what happened, service by service, failures first. It follows from its arguments alone. Design: §15.
 */
export function nightCard(night: Night, runs: readonly SleepRun[], around: Around): ChannelCard {
  const said = night.plan.snoozed.map(saidLine);
  if (night.state === 'cancelled' || night.state === 'skipped') {
    return { audience: 'channel', tone: 'plain', headline: offText(night), lines: said };
  }
  if (night.begunAt === undefined && runs.length === 0) return notice(night, said, around);
  const lines = runLines(night, runs);
  const failed = runs.some(({ state }) => state === 'failed' || state === 'unknown');
  const isWaiting = runs.some(({ state }) => state === 'waiting');
  return {
    audience: 'channel',
    tone: failed ? 'warning' : around.settled && !isWaiting ? 'good' : 'plain',
    headline: happenedText(night, runs),
    lines: [...lines, ...said],
  };
}

function notice(night: Night, said: readonly Text[], { snooze }: Around): ChannelCard {
  const { plan } = night;
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`${nameOf(night)} stops ${countOf(sleeping(night))} ${time(plan.stopAt)}${untilText(night)}.`,
    lines: [say`${namesText(sleeping(night))}`, ...expectedLines(night), ...said],
    actions: snooze === undefined ? [] : buttons(night, snooze),
  };
}

/** Nothing where the data does not carry it. An hour more awake is an hour less of it. */
function expectedLines(night: Night): readonly Text[] {
  const { at, plan } = night;
  const known = sleeping(night).flatMap(({ id }) => plan.expects?.[id] ?? []);
  if (known.length === 0 || plan.startAt === undefined) return [];
  const share = hoursBetween(plan.stopAt, plan.startAt) / hoursBetween(at, plan.startAt);
  const units = known.reduce((sum, one) => sum + one, 0) * share;
  const of = known.length === sleeping(night).length ? '' : ` of ${countOf(known)}`;
  return [
    say`Expected to save about ${unitsText(units)} units${of} (an estimate: for each hour a 24th of the median of comparable days awake in the last 4 weeks).`,
  ];
}

function hoursBetween(from: string, to: string): number {
  return DateTime.fromISO(to).diff(DateTime.fromISO(from), 'hours').hours;
}

function buttons(night: Night, snooze: SnoozeSettings): readonly CardAction[] {
  const input = { schedule: night.schedule, night: night.at };
  const press = (label: string, choice: Snoozed['choice']): CardAction => ({
    label,
    do: { kind: 'run', operation: 'schedule.snooze', input: { ...input, choice } },
  });
  const keep: CardAction = {
    label: 'Only keep …',
    do: { kind: 'open', operation: 'schedule.snooze', input: { ...input, choice: 'keep' } },
  };
  const later = mayDelay(night, snooze) ? [press('In 1 hour', 'hour')] : [];
  return [press('Not tonight', 'skip'), ...later, keep];
}

function offText(night: Night): Text {
  const { plan } = night;
  const last = plan.snoozed.at(-1);
  if (last?.choice === 'skip') {
    return say`${nameOf(night)} stops nothing tonight, ${user(last.by)} said so. It would have been ${time(plan.stopAt)}.`;
  }
  const because = plan.because ?? 'it was called off';
  return say`${nameOf(night)} stopped nothing, ${time(plan.stopAt)}: ${because}.`;
}

function saidLine({ choice, by, at, keep }: Snoozed): Text {
  const what = {
    skip: 'not tonight',
    hour: 'in 1 hour',
    keep: `keep ${counted(keep.length, 'service')} awake`,
  }[choice];
  return say`${user(by)}, ${time(at, 'time')}: ${what}.`;
}

function happenedText(night: Night, runs: readonly SleepRun[]): Text {
  const acts: readonly SleepAct[] = ['stop', 'start'];
  const asked = acts.flatMap((act) => {
    const own = runs.filter((run) => run.act === act && run.state !== 'left');
    const done = own.filter(({ state }) => state === 'done').length;
    if (own.length === 0) return [];
    const left = runs.filter((run) => run.act === act && run.state === 'left').length;
    // Some wait for their turn.
    const all = act === 'stop' ? sleeping(night).length - left : own.length;
    return [say`asked ${done} of ${counted(all, 'service')} to ${act}`];
  });
  const what = asked.length === 0 ? say`had nothing to do` : joinText(asked, ' and ');
  return say`${nameOf(night)} ${what}, ${time(night.plan.stopAt)}${untilText(night)}.`;
}

/** Failures first, then what is tried again, what was left, what was done. */
const ORDER: readonly SleepRun['state'][] = [
  'failed',
  'unknown',
  'waiting',
  'claimed',
  'left',
  'done',
];

function runLines(night: Night, runs: readonly SleepRun[]): readonly Text[] {
  const names = new Map(night.plan.services.map(({ id, name }) => [id, name]));
  const woken = new Set(
    runs.filter(({ act, state }) => act === 'start' && state === 'done').map((run) => run.service),
  );
  const told = runs.filter(
    ({ act, service, state, reason }) =>
      (state !== 'left' || reason.length > 0) &&
      !(act === 'stop' && state === 'done' && woken.has(service)),
  );
  const kept = [...keptIn(night)].map((id) => say`• ${bold(names.get(id) ?? id)} stays awake.`);
  const lines = ORDER.flatMap((state) =>
    told
      .filter((run) => run.state === state)
      .toSorted((a, b) => (a.service < b.service ? -1 : 1))
      .map((run) => runLine(run, names.get(run.service) ?? run.service, night)),
  );
  const more = lines.length - NAMED;
  return [
    ...lines.slice(0, NAMED),
    ...(more > 0 ? [say`… and ${more} more, in the log.`] : []),
    ...kept,
  ];
}

function runLine({ act, state, reason, movedAt }: SleepRun, name: string, { plan }: Night): Text {
  const past = act === 'stop' ? 'stopped' : 'started';
  const until = act === 'stop' ? plan.endsAt : (plan.startEndsAt ?? plan.endsAt);
  switch (state) {
    case 'done':
      return say`• ${bold(name)} was asked to ${act}, ${time(movedAt, 'time')}${lateText(act, movedAt, plan)}.`;
    case 'left':
      return say`• ${bold(name)} was left alone: ${ended(reason)}`;
    case 'unknown':
      return say`• ${bold(name)} may have been ${past}: ${ended(reason)} It is not sent again; check it in the console.`;
    case 'failed':
      return say`• ${bold(name)} was not ${past}: ${ended(reason)} It is not tried again.`;
    case 'waiting':
      return say`• ${bold(name)} is not ${past} yet: ${ended(reason)} It is tried again until ${time(until)}.`;
    case 'claimed':
      return say`• ${bold(name)} is being asked to ${act} …`;
  }
}

/** Reasons of the API and of the rules are sentences; ours are not. */
function ended(reason: Text): Text {
  const last = reason.at(-1);
  return typeof last === 'string' && /[.!?]$/u.test(last) ? reason : say`${reason}.`;
}

const LATE_MS = 5 * 60_000;

function lateText(act: SleepAct, movedAt: string, plan: Night['plan']): string {
  const due = act === 'stop' ? plan.stopAt : (plan.startAt ?? plan.stopAt);
  const lateMs = DateTime.fromISO(movedAt).toMillis() - DateTime.fromISO(due).toMillis();
  return lateMs < LATE_MS ? '' : `, ${Math.round(lateMs / 60_000)} min late`;
}

function nameOf({ schedule, plan }: Night): Text {
  return plan.owner === undefined
    ? say`${bold(schedule)}`
    : say`The sleep that ${user(plan.owner.userId)} set`;
}

function untilText({ plan }: Night): Text {
  return plan.startAt === undefined ? [] : say`, until ${time(plan.startAt)}`;
}

function sleeping(night: Night): readonly SleepingService[] {
  const kept = keptIn(night);
  return night.plan.services.filter(({ id }) => !kept.has(id));
}

function countOf(services: readonly unknown[]): string {
  return counted(services.length, 'service');
}

/** `**a**, **b** and 3 more`. */
export function namesText(services: readonly SleepingService[]): Text {
  const shown = services.slice(0, NAMED).map(({ name }) => bold(name));
  const more = services.length - shown.length;
  return more > 0 ? say`${joinText(shown, ', ')} and ${more} more` : listText(shown);
}
