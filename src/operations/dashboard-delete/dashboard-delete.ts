import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import { approvedText, code, say, type Text, user } from '../../core/text/text.ts';

const input = z
  .strictObject({
    id: z
      .string()
      .trim()
      .regex(/^[\w-]{1,100}$/u, 'The id of a dashboard: letters, digits, - and _.')
      .meta({
        field: { label: 'Dashboard id', hint: 'As it stands in the address of the dashboard.' },
      }),
    confirmId: z
      .string()
      .trim()
      .meta({
        field: { label: 'Type the id again to confirm', hint: 'A deletion cannot be undone.' },
      }),
  })
  .refine(({ id, confirmId }) => id === confirmId, {
    path: ['confirmId'],
    error: 'The same id as above.',
  });

type Plan = { readonly id: string };

/**
 * `/db dashboard delete <id>`, the one operation on the observability API. Its success proves
 * little: there are servers that report it for an unknown id. Spec: Endpoints 9.
 */
export const dashboardDelete = defineOperation({
  id: 'dashboard.delete',
  summary: 'Delete a dashboard',
  title: 'Delete a dashboard',
  risk: 'destroy',
  confirm: 'form',
  slash: {
    words: ['dashboard', 'delete'],
    positional: ['id'],
    examples: ['dashboard delete 6601aa00bb11cc22dd33ee03 --confirm-id 6601aa00bb11cc22dd33ee03'],
  },
  input,
  // It is typed in the form each time: not kept by "Try again", not pasted from the help.
  prefill: ({ confirmId: _, ...raw }) => ({ raw, issues: [] }),
  refused: ({ id }) => say`${dashboard(typeof id === 'string' ? id : '')} was not deleted`,
  plan: async ({ id }) => ({ id }),
  targets: ({ id }) => [{ kind: 'dashboard', id, name: id, tags: [] }],
  preview: ({ id }) => ({
    question: say`Delete the dashboard ${code(id)}?`,
    ask: say`delete the dashboard ${code(id)}`,
    lines: [say`It cannot be undone, and its alerts may go with it.`],
    button: 'Delete the dashboard',
    danger: true,
  }),
  running: ({ id }) => say`Deleting the dashboard ${code(id)} …`,
  asked: ({ id }) => say`Asked to delete the dashboard ${code(id)}.`,
  unknown: ({ id }) => ({
    state: say`The dashboard ${code(id)} may have been deleted`,
    check: say`Open it to see whether it is still there.`,
  }),
  execute: ({ id }, ports) => ports.control.deleteDashboard(id),
  present: (_result, plan, context) => present(plan, context),
});

function dashboard(id: string): Text {
  return id === '' ? ['The dashboard'] : say`The dashboard ${code(id.slice(0, 100))}`;
}

function present({ id }: Plan, context: Context): Card {
  return {
    audience: 'channel',
    tone: 'good',
    headline: say`${user(context.actor.userId)} deleted dashboard ${code(id)}${approvedText(context.approvedBy)}, or it did not exist.`,
  };
}
