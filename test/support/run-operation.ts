import type { Card, RawInput } from '../../src/core/card/card.ts';
import type { Context, Executed, Operation, Planned } from '../../src/core/operation/operation.ts';
import type { Issue, Problem } from '../../src/core/operation/outcome.ts';
import { plain, type Text } from '../../src/core/text/text.ts';
import { formView, sectionsWithValues } from '../../src/slack/form/form.ts';
import { renderCard } from '../../src/slack/render/render.ts';
import { CONTEXT, type FakePorts } from './operation-ports.ts';

/** Parses and plans; a field that does not fit fails the test. */
export async function planned(
  operation: Operation,
  raw: RawInput,
  ports: FakePorts,
  context: Context = CONTEXT,
): Promise<Planned> {
  const plan = await attempt(operation, raw, ports, context);
  if ('problem' in plan) throw new TypeError(`A problem: ${plain(plan.problem)}`);
  return plan;
}

/** The problem that planning finds; a plan fails the test. */
export async function problemOf(
  operation: Operation,
  raw: RawInput,
  ports: FakePorts,
): Promise<Problem> {
  const plan = await attempt(operation, raw, ports, CONTEXT);
  if (!('problem' in plan)) throw new TypeError('It was planned without a problem.');
  return plan;
}

/** Runs it past all gates, as the pipeline does once they are open. */
export async function executed(
  operation: Operation,
  raw: RawInput,
  ports: FakePorts,
  context: Context = CONTEXT,
): Promise<Executed> {
  return (await planned(operation, raw, ports, context)).execute(ports, context);
}

async function attempt(
  operation: Operation,
  raw: RawInput,
  ports: FakePorts,
  context: Context,
): Promise<Planned | Problem> {
  const prepared = operation.prepare(raw);
  if ('issues' in prepared) throw new TypeError(JSON.stringify(prepared.issues));
  return await prepared.plan(ports, context);
}

export function issuesOf(operation: Operation, raw: RawInput): readonly Issue[] {
  const prepared = operation.prepare(raw);
  return 'issues' in prepared ? prepared.issues : [];
}

/** The message, and what stands in its thread. */
export function rendered(card: Card) {
  const { main, thread } = renderCard(card, 'native');
  return { ...main, ...(thread === undefined ? {} : { thread }) };
}

/** The form as it opens with what is known already. */
export function formOf(
  operation: Operation,
  raw: RawInput = {},
  more: {
    readonly issues?: readonly Issue[];
    readonly open?: readonly string[];
    readonly credentials?: readonly string[];
    readonly organizations?: readonly string[];
  } = {},
) {
  return formView({
    operation,
    state: { operation: operation.id, raw, open: more.open ?? sectionsWithValues(operation, raw) },
    formId: 'form-1',
    issues: more.issues ?? [],
    credentials: more.credentials ?? [],
    organizations: more.organizations ?? ['acme'],
  });
}

/** Headline and lines as plain text. */
export function wordsOf(card: Card): readonly string[] {
  return [card.headline, ...(card.lines ?? [])].map((text: Text) => plain(text));
}

/** The sentence of an unknown outcome, without the cause that stands between its parts. */
export function unknownWords(plan: Planned): string {
  const { state, check } = plan.unknown ?? { state: [], check: [] };
  return `${plain(state)}. ${plain(check)}`;
}
