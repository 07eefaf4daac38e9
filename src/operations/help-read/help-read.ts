import { z } from 'zod';
import type { Card, Fact } from '../../core/card/card.ts';
import { choicesOf, flagOf, YES_NO } from '../../core/operation/fields.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { OperationInfo, ReadPorts } from '../../core/operation/ports.ts';
import {
  type AllowedHere,
  allowedHere,
  operationNamed,
  PERHAPS_MORE,
} from '../../core/operation/registry.ts';
import { isProblem } from '../../core/operation/resolve.ts';
import { bold, code, joinText, say, type Text } from '../../core/text/text.ts';

const input = z.strictObject({
  topic: z
    .string()
    .trim()
    .max(60)
    .optional()
    .meta({
      field: { label: 'About', placeholder: 'stop', hint: 'Leave empty for all commands.' },
    }),
});

type Plan = {
  readonly topic?: OperationInfo | undefined;
  /** A word that means the same here. */
  readonly also?: string | undefined;
};

/** `/db help [command]`: printed from the declarations, and only what the asker may do here. */
export const helpRead = defineOperation({
  id: 'help.read',
  summary: 'Help with every command',
  title: 'Help',
  risk: 'read',
  open: true,
  slash: { words: ['help'], positional: ['topic'], examples: ['help', 'help stop'] },
  input,
  refused: () => say`Help was not shown`,
  plan: async ({ topic }, ports) => findTopic(topic, ports),
  targets: () => [],
  execute: async (_plan, ports, context) => ({
    result: {
      allowed: await allowedHere(ports, context),
      command: ports.settings.get().command,
    },
  }),
  present: ({ allowed, command }, plan: Plan) =>
    plan.topic === undefined ? overview(allowed, command) : about(plan.topic, plan.also, command),
});

function findTopic(topic: string | undefined, ports: ReadPorts): Plan | Problem {
  if (topic === undefined || topic === '') return {};
  const operation = operationNamed(topic, ports.catalogue, {
    field: 'topic',
    as: 'command',
    suggest: (near) => ({ label: `Help on ${near}`, input: { topic: near } }),
  });
  if (isProblem(operation)) return operation;
  const { also } = operation.slash;
  const isTaken = ports.catalogue.some(({ slash }) => slash.words[0] === also);
  return { topic: operation, also: isTaken ? undefined : also };
}

function overview({ operations, unsure }: AllowedHere, command: string): Card {
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`What you may do in this place:`,
    lines: [
      ...operations.map((operation) => line(operation, command)),
      ...(unsure ? [PERHAPS_MORE] : []),
    ],
    details: [{ label: 'In a thread', value: inThread(operations, command) }],
    context: say`A missing argument opens a form. Answers to questions are seen by you alone, with ${code('--share')} by all. Changes are posted in the channel. ${code('--reason')} at the end says why a change is asked for.`,
  };
}

/** Slack takes no slash command there. */
function inThread(operations: readonly OperationInfo[], command: string): Text {
  const example = operations.find(({ open }) => open !== true)?.slash.examples[0] ?? 'help';
  const mention = code(`@Steward ${example}`);
  return say`Slack takes no slash command in a thread. There, write ${mention} (where the app may read mentions), or choose ${bold('Inspect activity')} in the menu of a message; ${code(command)} works in the channel itself.`;
}

function line(operation: OperationInfo, command: string): Text {
  const example = operation.slash.examples[0] ?? '';
  const badge = operation.badge === undefined ? '' : ` (${operation.badge})`;
  return say`${code(`${command} ${example}`.trim())} – ${operation.summary}${badge}`;
}

function about(operation: OperationInfo, also: string | undefined, command: string): Card {
  const { examples: own, words } = operation.slash;
  // The same example with the other word.
  const others = also === undefined ? [] : own.map((one) => one.replace(words[0] ?? '', also));
  const examples = [...own, ...others].map((example) => code(`${command} ${example}`.trim()));
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${bold(operation.summary)}${operation.badge === undefined ? '' : ` (${operation.badge})`}`,
    lines: [
      say`For example: ${joinText(examples, ', ')}`,
      say`Permission: ${code(operation.id)} (${operation.risk})`,
    ],
    details: operation.fields.map(fieldFact),
  };
}

function fieldFact(field: OperationInfo['fields'][number]): Fact {
  const required = field.required ? ' required' : '';
  const hint = field.hint === undefined ? '' : ` – ${field.hint}`;
  const badge = field.badge === undefined ? '' : ` (${field.badge})`;
  return {
    label: `${field.label}${badge}`,
    value: say`${code(`--${flagOf(field.key)}`)}${required}${hint}${choicesText(field)}`,
  };
}

/** What may be typed; of those that follow another field, all. */
function choicesText(field: OperationInfo['fields'][number]): Text {
  const choices = choicesOf(field, {});
  if (choices === YES_NO) return say` – yes or no`;
  const values = choices.map(({ value }) => code(value));
  return values.length === 0 ? [] : say` – one of ${joinText(values, ', ')}`;
}
