import { z } from 'zod';
import type { ActionMenu, Card, CardAction } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { type AllowedHere, allowedHere, PERHAPS_MORE } from '../../core/operation/registry.ts';
import { bold, code, say } from '../../core/text/text.ts';

/** Bare `/db`: a menu of what this person may do here. */
export const menuRead = defineOperation({
  id: 'menu.read',
  summary: 'Show what you may do here',
  title: 'Menu',
  risk: 'read',
  open: true,
  slash: { words: [''], positional: [], examples: [''] },
  input: z.strictObject({}),
  refused: () => say`The menu was not shown`,
  plan: async () => ({}),
  targets: () => [],
  execute: async (_plan, ports, context) => ({
    result: {
      allowed: await allowedHere(ports, context),
      command: ports.settings.get().command,
    },
  }),
  present: ({ allowed, command }) => present(allowed, command),
});

/** What most people come for, in this order, as buttons. */
const USUAL: readonly string[] = [
  'service.start',
  'service.stop',
  'directory.read',
  'cost.read',
  'approval.read',
];

/** By the noun of an operation's id; one that has none here stands under "More". */
const SUBJECTS: Readonly<Record<string, string>> = {
  service: 'Services',
  directory: 'Services',
  schedule: 'Services',
  pipe: 'Services',
  'query-endpoint': 'Services',
  dashboard: 'Services',
  cost: 'Costs',
  digest: 'Costs',
  invitation: 'People and rights',
  permission: 'People and rights',
  approval: 'What happened',
  journal: 'What happened',
  activity: 'What happened',
};
const OTHER = 'More';

function present({ operations, unsure }: AllowedHere, command: string): Card {
  const offered = operations.filter(({ id }) => id !== 'menu.read');
  const own = offered.filter((operation) => operation.open !== true);
  const usual = USUAL.flatMap((id) => offered.filter((operation) => operation.id === id));
  const rest = offered.filter((operation) => !usual.includes(operation));
  return {
    audience: 'requester',
    tone: 'plain',
    headline:
      own.length === 0
        ? say`You may not do anything here.`
        : say`What you may do here. Press a button, choose from the list, or type it.`,
    lines: [
      ...(own.length === 0
        ? [say`${code(`${command} can`)} says what a rule would have to allow.`]
        : []),
      ...(unsure ? [PERHAPS_MORE] : []),
    ],
    actions: usual.map((operation) => action(operation, operation.title)),
    menu: rest.length === 0 ? undefined : { label: 'All else, by subject', groups: grouped(rest) },
    context: say`${code(`${command} help`)} prints every command with an example. ${bold('Tip')}: names may be quoted.`,
  };
}

function grouped(operations: readonly OperationInfo[]): ActionMenu['groups'] {
  const subjects = new Set([...Object.values(SUBJECTS), OTHER]);
  return [...subjects]
    .map((label) => ({
      label,
      actions: operations
        .filter((each) => subjectOf(each) === label)
        .map((each) => action(each, each.summary)),
    }))
    .filter(({ actions }) => actions.length > 0);
}

function subjectOf({ id }: OperationInfo): string {
  return SUBJECTS[id.slice(0, id.indexOf('.'))] ?? OTHER;
}

function action(operation: OperationInfo, label: string): CardAction {
  return {
    label,
    do: { kind: operation.atOnce === true ? 'run' : 'open', operation: operation.id, input: {} },
  };
}
