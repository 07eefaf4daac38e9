import { z } from 'zod';
import type { Card, CardAction } from '../../core/card/card.ts';
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

function present({ operations, unsure }: AllowedHere, command: string): Card {
  const offered = operations.filter(({ id }) => id !== 'menu.read');
  const own = offered.filter((operation) => operation.open !== true);
  return {
    audience: 'requester',
    tone: 'plain',
    headline:
      own.length === 0
        ? say`You may not do anything here.`
        : say`What you may do here. Press a button, or type it.`,
    lines: [
      ...(own.length === 0
        ? [say`${code(`${command} can`)} says what a rule would have to allow.`]
        : []),
      ...(unsure ? [PERHAPS_MORE] : []),
    ],
    actions: offered.slice(0, 25).map(button),
    context: say`${code(`${command} help`)} prints every command with an example. ${bold('Tip')}: names may be quoted.`,
  };
}

function button(operation: OperationInfo): CardAction {
  return {
    label: operation.summary.slice(0, 75),
    style: operation.risk === 'destroy' ? 'danger' : undefined,
    do: { kind: 'open', operation: operation.id, input: {} },
  };
}
