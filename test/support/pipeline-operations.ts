import { z } from 'zod';
import {
  type Double,
  defineOperation,
  type Operation,
} from '../../src/core/operation/operation.ts';
import type { Problem } from '../../src/core/operation/outcome.ts';
import type { Ports } from '../../src/core/operation/ports.ts';
import type { Target } from '../../src/core/ports/decision.ts';
import { bold, say, type Text } from '../../src/core/text/text.ts';

/** What an operation of this world reads: a test changes it between two presses. */
export type Facts = {
  services: Record<string, { id: string; size: number }>;
  doubles: readonly Double[];
  /** Thrown where the API is called. */
  fault: Error | undefined;
  /** Awaited where the API is called. */
  held: Promise<void> | undefined;
};

function field(label: string, more: { readonly secret?: boolean } = {}) {
  return { field: { label, ...more } };
}

/**
 * `service.look` reads, `sign.read` is open to all. `service.resize` asks first and is bound to the size that it replaces.
 * `pipe.lay` goes by its form and is bound to all of its input. `bell.ring` does it at once.
 */
export function operationsOf(facts: Facts, events: string[]): readonly Operation[] {
  const service = z.string().min(1).meta(field('Service'));
  const act = async (what: string) => {
    events.push(what);
    await facts.held;
    if (facts.fault !== undefined) throw facts.fault;
    return { result: what, requestId: 'fake-request-id' };
  };
  /** A change goes out through the API's client, which is where it has begun. */
  const alter = async ({ control }: Pick<Ports, 'control'>, what: string) => {
    await control.setServiceState('acme', what, 'stop');
    return await act(what);
  };
  const find = async <E extends object>(name: string, more: E): Promise<Problem | (Found & E)> => {
    const found = facts.services[name];
    if (found === undefined) {
      return { problem: say`No service named ${bold(name)}.`, field: 'service' };
    }
    return { name, ...found, ...more };
  };
  const card = (headline: Text) => ({ audience: 'channel', tone: 'plain', headline }) as const;
  const change = { risk: 'change' } as const;
  return [
    defineOperation({
      ...words('service.look', 'look'),
      risk: 'read',
      input: z.strictObject({ service }),
      refused: (raw) => say`${bold(String(raw['service']))} was not looked at`,
      plan: (input) => find(input.service, {}),
      targets: (plan) => [targetOf(plan)],
      execute: (plan) => act(`look ${plan.name}`),
      present: (_result, plan) => card(say`${bold(plan.name)} is here.`),
      aside: () => ({ audience: 'requester', tone: 'plain', headline: say`For you alone.` }),
    }),
    defineOperation({
      ...words('sign.read', 'sign'),
      risk: 'read',
      open: true,
      input: z.strictObject({}),
      refused: () => say`The sign was not read`,
      plan: async () => ({}),
      targets: () => [],
      execute: () => act('sign'),
      present: () => card(say`Welcome.`),
    }),
    defineOperation({
      ...words('service.resize', 'resize'),
      ...change,
      confirm: 'press',
      input: z.strictObject({ service, size: z.coerce.number().int().meta(field('Size')) }),
      refused: (raw) => say`${bold(String(raw['service']))} was not resized`,
      plan: (input) => find(input.service, { to: input.size }),
      targets: (plan) => [targetOf(plan)],
      attributes: ({ to }) => ({ memoryGb: to }),
      preview: ({ name, size, to }) => ({
        question: say`Resize ${bold(name)}?`,
        ask: say`resize ${bold(name)}`,
        lines: [say`From ${size} to ${to} GB.`],
        button: `Resize ${name}`,
        danger: false,
      }),
      running: ({ name }) => say`Resizing ${bold(name)} …`,
      asked: ({ name }) => say`Asked ${bold(name)} to change its size.`,
      unknown: ({ name }) => ({
        state: say`${bold(name)} may have been resized`,
        check: say`Check its size.`,
      }),
      doubles: () => facts.doubles,
      again: 'Resize again',
      execute: ({ name }, ports) => alter(ports, `resize ${name}`),
      present: (_result, plan, { approvedBy }) =>
        card(
          say`${bold(plan.name)} was resized${approvedBy === undefined ? '' : `, approved by ${approvedBy}`}.`,
        ),
    }),
    defineOperation({
      ...words('pipe.lay', 'pipe'),
      ...change,
      confirm: 'form',
      input: z.strictObject({
        service,
        name: z.string().meta(field('Name')),
        password: z
          .string()
          .optional()
          .meta(field('Password', { secret: true })),
      }),
      refused: () => say`No pipe was laid`,
      plan: (input) => find(input.service, { pipe: input.name }),
      targets: (plan) => [targetOf(plan)],
      preview: ({ pipe }) => ({
        question: say`Lay ${pipe}?`,
        ask: say`lay ${pipe}`,
        lines: [],
        button: 'Lay it',
        danger: false,
      }),
      running: ({ pipe }) => say`Laying ${pipe} …`,
      asked: ({ pipe }) => say`Asked for ${pipe}.`,
      unknown: () => ({ state: say`A pipe may have been laid`, check: say`Look for it.` }),
      doubles: () => facts.doubles,
      execute: ({ pipe }, ports) => alter(ports, `lay ${pipe}`),
      present: (_result, { pipe }) => card(say`${pipe} was laid.`),
    }),
    defineOperation({
      ...words('bell.ring', 'ring'),
      ...change,
      confirm: 'none',
      input: z.strictObject({}),
      refused: () => say`The bell was not rung`,
      plan: async () => ({ times: 1 }),
      targets: () => [],
      preview: () => ({
        question: say`Ring?`,
        ask: say`ring`,
        lines: [],
        button: 'Ring',
        danger: false,
      }),
      running: () => say`Ringing …`,
      asked: () => say`Rang.`,
      unknown: () => ({ state: say`The bell may have been rung`, check: say`Listen.` }),
      execute: (_plan, ports) => alter(ports, 'ring'),
      present: () => card(say`The bell was rung.`),
    }),
  ];
}

type Found = { readonly id: string; readonly name: string; readonly size: number };

function targetOf({ id, name }: Found): Target {
  return { kind: 'service', id, name, organization: 'acme', tags: [] };
}

function words(id: `${string}.${string}`, word: string) {
  const slash: { words: [string]; positional: []; examples: [string] } = {
    words: [word],
    positional: [],
    examples: [word],
  };
  return { id, summary: `${word} it`, title: word, slash };
}
