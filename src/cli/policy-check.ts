import { knownActions } from '../app/app.ts';
import { systemClock } from '../app/clock.ts';
import type { Variables } from '../config/environment-reader.ts';
import { checkRules } from '../config/load.ts';
import { problemLine } from '../config/problems.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Settings } from '../core/settings/settings.ts';
import { operations } from '../operations/index.ts';
import { type ApprovalFault, approvalFaults } from '../policy/decide/approvers.ts';
import { permissionTable } from '../policy/decide/explain.ts';
import { type ExitCode, type Output, tableLines } from './output.ts';
import { scheduleLines } from './schedule-lines.ts';

const COLUMNS = [
  'channel',
  'effect',
  'action',
  'who',
  'services',
  'approval',
  'limits',
  'rule',
] as const;

/**
 * Every problem of a `steward.yaml`, else who may do what where, what its schedules do in the next
 * seven days, and what nobody could approve.
 */
export function checkPolicy(
  file: string | undefined,
  env: Variables,
  output: Output,
  clock: Pick<Clock, 'now'> = systemClock,
): ExitCode {
  const settings = settingsOf(file, env, output);
  if (settings === undefined) return 1;
  const rows = permissionTable(settings, knownActions);
  const cells = rows.map((row) => COLUMNS.map((column) => row[column]));
  for (const line of tableLines(COLUMNS, cells)) output.print(line);
  const open = operations.filter((operation) => operation.open === true).map(({ id }) => id);
  output.print('');
  output.print(`Whatever no line allows is refused. Open to every member: ${open.join(', ')}.`);
  for (const line of scheduleLines(settings, clock.now())) output.print(line);
  const faults = approvalFaults(settings, { membersOf: () => undefined, mayApprove: () => true });
  for (const fault of faults) output.print(`${fault.rule}: ${offline(fault)}`);
  return faults.some(({ kind }) => kind === 'never') ? 1 : 0;
}

/** Without Slack nobody knows who is in its user groups. */
function offline({ kind, because }: ApprovalFault): string {
  switch (kind) {
    case 'never':
      return `PROBLEM: nobody could approve it: ${because}.`;
    case 'own':
      return `what this person asks for nobody could approve: ${because}.`;
    case 'unknown':
      return `not known from the file: ${because}. \`steward doctor\` asks Slack.`;
  }
}

/** The rules of a file, or undefined after every problem was printed. */
export function settingsOf(
  file: string | undefined,
  env: Variables,
  output: Output,
): Settings | undefined {
  const variables = file === undefined ? env : { ...env, STEWARD_CONFIG: file };
  const { value, problems } = checkRules({ env: variables, knownActions });
  if (value !== undefined && problems.length === 0) return value;
  output.print(problems.length === 1 ? '1 problem:' : `${problems.length} problems:`);
  for (const problem of problems) output.print(problemLine(problem));
  return undefined;
}
