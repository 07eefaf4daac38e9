import type { Variables } from '../config/environment-reader.ts';
import { scheduleOf } from '../core/ports/ports.ts';
import type { Settings } from '../core/settings/settings.ts';
import { plain } from '../core/text/text.ts';
import { explain } from '../policy/decide/explain.ts';
import { type ExitCode, type Output, tableLines } from './output.ts';
import { settingsOf } from './policy-check.ts';
import { channelOf, operationOf, serviceOf } from './policy-names.ts';

export type ExplainFlags = {
  /** A user id, or `schedule:NAME`. */
  readonly user: string;
  /** A channel's name in the file, or its id. */
  readonly channel: string;
  /** A permission or a command. */
  readonly action: string;
  readonly service?: string | undefined;
  /** User groups that the user is taken to be in: Slack is not asked. */
  readonly usergroup?: readonly string[] | undefined;
  readonly file?: string | undefined;
};

/**
 * Which rule decides, and how far each other one fits. Without Slack the user counts as an ordinary
 * member. Throws AppError `invalid` for a name that the file does not have.
 */
export function explainPolicy(flags: ExplainFlags, env: Variables, output: Output): ExitCode {
  const settings = settingsOf(flags.file, env, output);
  if (settings === undefined) return 1;
  const channel = channelOf(flags.channel, settings);
  const operation = operationOf(flags.action);
  const groups = groupsOf(flags, settings);
  const target = flags.service === undefined ? undefined : serviceOf(flags.service, settings);
  const isSchedule = scheduleOf({ userId: flags.user, teamId: '' }) !== undefined;
  const standing = isSchedule ? 'schedule' : 'member';
  const explained = explain({
    settings,
    actor: { userId: flags.user, standing, groups, unknownGroups: new Set() },
    place: { kind: 'channel', channelId: channel.id, shared: false },
    question: {
      action: operation.id,
      risk: operation.risk,
      open: operation.open,
      targets: target === undefined ? undefined : [target],
    },
  });
  const { decision, considered, decidedBy } = explained;
  const what = `${operation.id}${target === undefined ? '' : ` on ${target.name}`}`;
  const verdict = decision.allowed ? 'may' : 'may not';
  output.print(`${flags.user} ${verdict} use ${what} in ${channel.name}.`);
  if (!decision.allowed) output.print(`Because ${plain(decision.reason)}`);
  else if (decision.approval !== undefined) {
    const minutes = decision.approval.withinMs / 60_000;
    output.print(`With an approval by ${decision.approval.by.join(' or ')} within ${minutes} min.`);
  }
  if (decision.allowed && decision.reason === 'required' && operation.risk !== 'read') {
    output.print('With a reason: --reason, or in the form.');
  }
  output.print(
    isSchedule
      ? 'A schedule is in no group.'
      : `In the groups: ${[...groups].join(', ') || 'none'}. An ordinary member is assumed.`,
  );
  output.print(`Decided by: ${decidedBy.join(', ') || 'no rule'}.`);
  output.print('');
  const rows = considered.map(({ path, effect, verdict: at }) => [path, effect, VERDICTS[at]]);
  for (const line of tableLines(['rule', 'effect', 'verdict'], rows)) output.print(line);
  return 0;
}

const VERDICTS = {
  action: 'is about other actions',
  person: 'is about other people',
  'person-unknown': 'may be about this person: Slack would have to say',
  service: 'is about other services',
  limit: 'sets a limit that this does not keep',
  matches: 'fits',
} as const;

function groupsOf({ user, usergroup = [] }: ExplainFlags, settings: Settings): ReadonlySet<string> {
  const named = Object.entries(settings.groups).filter(
    ([, group]) =>
      group.users.includes(user) || group.usergroups.some((id) => usergroup.includes(id)),
  );
  return new Set(named.map(([name]) => name));
}
