import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { RawInput } from '../../core/card/card.ts';
import { isShown } from '../../core/operation/fields.ts';
import type { Operation } from '../../core/operation/operation.ts';
import type { Issue, Outcome } from '../../core/operation/outcome.ts';
import { withoutSecrets } from '../../core/pipeline/redact.ts';
import { blockIdOf } from '../form/fields.ts';
import { type FormState, formView, goneView, inForm, TOGGLE } from '../form/form.ts';
import { loadForm, namesIn } from '../form/open.ts';
import { readLabels, readValues, withoutReason } from '../form/values.ts';
import { ownerOf, placeOf, type SlackDeps } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { toPlain } from '../render/mrkdwn.ts';
import { slackErrorOf } from '../web/slack-failure.ts';
import { type Answer, answerOnce } from './intake/acknowledge.ts';
import { receive } from './intake/intake.ts';
import { deliveryOf } from './intake/once.ts';
import { actorOf, type Interactive, readInteractive, readPayload } from './intake/payloads.ts';
import { journalRefusal, NO_OPERATION } from './intake/refused.ts';
import { perform } from './perform.ts';

const viewShape = z.looseObject({
  id: z.string(),
  callback_id: z.string().default(''),
  hash: z.string().default(''),
  private_metadata: z.string().default(''),
  state: z.looseObject({ values: z.unknown() }).optional(),
});
const withView = z.looseObject({ view: viewShape });
const toggled = z.looseObject({
  actions: z.array(z.looseObject({ block_id: z.string(), value: z.string().nullish() })).min(1),
});

/** What Slack waits for; after that the form closes and the rest is told in the channel. */
const ANSWER_WITHIN_MS = 2_300;

type Opened = {
  readonly payload: Interactive;
  readonly view: z.output<typeof viewShape>;
  readonly state: FormState;
  readonly operation: Operation;
  /** What may be kept of what was typed. */
  readonly raw: RawInput;
  readonly typed: RawInput;
};

/** Submissions and changes inside a form. */
export function registerForms(app: App, replies: Replies): void {
  const { deps } = replies;
  // Operations have a dot in their id; other modals have routes of their own.
  app.view({ callback_id: /\./u, type: 'view_submission' }, async ({ ack, body }) => {
    const payload = readInteractive(body);
    const { view } = readPayload(withView, body);
    const actor = actorOf(payload);
    const answer = answerOnce(ack);
    const { callback_id: id } = view;
    const operation = deps.registry.find(id)?.id ?? NO_OPERATION;
    await receive(
      {
        ...{ kind: 'view_submission', body, answer, whole: false, answersItself: true },
        reply: replies.to({ actor, place: 'home' }),
        opening: { operation, actor, input: {}, origin: 'form' },
        delivery: `view:${view.id}:${deliveryOf(payload)}`,
      },
      (reply) => submitted(body, answer, reply),
    );
  });
  const changed = async (args: { ack: () => Promise<void>; body: unknown }): Promise<void> => {
    await args.ack();
    await deps.track(redraw(args.body, deps));
  };
  app.action({ block_id: new RegExp(`^${TOGGLE}:`, 'u') }, changed);
  app.action({ block_id: /^f:/u }, changed);
}

async function readForm(body: unknown, deps: SlackDeps): Promise<Opened | undefined> {
  const payload = readInteractive(body);
  const { view } = readPayload(withView, body);
  const before = await loadForm(view.private_metadata, actorOf(payload), deps);
  const found = before && deps.registry.find(before.operation);
  if (before === undefined || found === undefined) return undefined;
  const operation = inForm(found);
  const typed = readValues(view.state?.values, operation.fields, before.raw);
  const { raw } = withoutSecrets(typed, deps.holdsSecret);
  const state = { ...before, labels: { ...before.labels, ...readLabels(view.state?.values) } };
  return { payload, view, state, operation, raw, typed };
}

async function submitted(body: unknown, answer: Answer, reply: Reply): Promise<void> {
  const { actor, deps, received } = reply;
  const opened = await readForm(body, deps);
  if (opened !== undefined) return await submit(opened, answer, reply);
  await answer.give({ response_action: 'update', view: goneView() });
  const { callback_id: operation } = readPayload(withView, body).view;
  const detail = 'a form that is unknown, too old or somebody else\u2019s';
  const refused = { operation, actor, place: 'home', origin: 'form', detail, received } as const;
  await journalRefusal(refused, deps);
}

/**
 * Errors are answered beside their fields while the form is still open; once the request is on its
 * way the form closes and the outcome is told where the form was asked for.
 */
async function submit(opened: Opened, answer: Answer, reply: Reply): Promise<void> {
  const { actor, deps, received } = reply;
  const { view, operation, typed, state } = opened;
  const { round = 0 } = state;
  const place = placeOf(state.channelId, state.options?.thread);
  // The same view can be sent twice by a double click, each time under a trigger of its own.
  if (!(await deps.deliveries.claim(`form:${view.private_metadata}:${round}`))) {
    await answer.give();
    const refused = { operation: operation.id, actor, place, origin: 'form' } as const;
    return await journalRefusal(
      { ...refused, detail: 'a form that was sent already', received },
      deps,
    );
  }
  const again = { ...opened, state: { ...state, round: round + 1 } };
  let complains = false;
  const timer = new AbortController();
  const late = deps.ports.clock
    .sleep(ANSWER_WITHIN_MS, timer.signal)
    .then(() => answer.give())
    .catch(() => undefined);
  const { raw: sent, reason } = withoutReason(typed, operation);
  const options = { ...state.options, formed: true, reason };
  const request = { operation: operation.id, raw: sent, options, origin: 'form' as const };
  const running = perform(request, reply.to({ actor, place, received }), {
    onRunning: () => void answer.give(),
    intercept: (outcome) => {
      const errors = errorsFrom(outcome, again, deps);
      complains = !answer.given() && errors !== undefined;
      void answer.give(errors);
      return complains;
    },
  });
  await running.finally(() => timer.abort());
  await late;
  // What was typed has left the form: it is not kept for whoever reads the database.
  if (!complains) {
    await deps.forms.update(view.private_metadata, ownerOf(actor), { ...state, raw: {} });
  }
  await answer.give();
}

function errorsFrom(
  outcome: Outcome,
  opened: Opened,
  deps: SlackDeps,
): Record<string, unknown> | undefined {
  if (outcome.kind === 'problem' && outcome.problem.suggestion === undefined) {
    const { field, problem } = outcome.problem;
    return errorsOf([{ field, message: toPlain(problem) }], opened, deps);
  }
  if (outcome.kind === 'denied') {
    const { beyond, reason } = outcome.decision;
    const field = beyond && opened.operation.limited?.[beyond];
    if (field === undefined) return undefined;
    return errorsOf([{ field, message: asSentence(toPlain(reason)) }], opened, deps);
  }
  if (outcome.kind === 'form') return errorsOf(outcome.issues, opened, deps);
  return undefined;
}

function asSentence(words: string): string {
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

/** Slack takes errors for shown input blocks only; other issues stand on top, sections unfolded. */
function errorsOf(
  issues: readonly Issue[],
  opened: Opened,
  deps: SlackDeps,
): Record<string, unknown> {
  const { operation, raw, view, payload, state } = opened;
  const errors: Record<string, string> = {};
  for (const { field, message } of issues) {
    const found = operation.fields.find(({ key }) => key === field);
    const shown =
      found !== undefined &&
      isShown(found, raw) &&
      (found.section === undefined || state.open.includes(found.section));
    if (!shown) return unfolded(issues, opened, deps);
    errors[blockIdOf(found, raw)] ??= message;
  }
  void deps.forms.update(view.private_metadata, ownerOf(actorOf(payload)), { ...state, raw });
  return { response_action: 'errors', errors };
}

function unfolded(
  issues: readonly Issue[],
  opened: Opened,
  deps: SlackDeps,
): Record<string, unknown> {
  const { operation, raw, view, payload } = opened;
  const sections = operation.fields
    .filter(({ key }) => issues.some(({ field }) => field === key))
    .flatMap(({ section }) => section ?? []);
  const open = [...new Set([...opened.state.open, ...sections])];
  const state = { ...opened.state, raw, open };
  void deps.forms.update(view.private_metadata, ownerOf(actorOf(payload)), state);
  return { response_action: 'update', view: draw({ ...opened, state }, issues, deps) };
}

function draw(
  { operation, state, view }: Pick<Opened, 'operation' | 'state' | 'view'>,
  issues: readonly Issue[],
  deps: SlackDeps,
): ModalView {
  const names = namesIn(deps.ports.settings.get());
  return formView({ operation, state, formId: view.private_metadata, issues, ...names });
}

/** A fold was pressed or a field changed that others follow: draw again, nothing typed is lost. */
async function redraw(body: unknown, deps: SlackDeps): Promise<void> {
  const opened = await readForm(body, deps);
  if (opened === undefined) return;
  const { operation, raw, view, payload } = opened;
  const state = { ...opened.state, raw, open: openSections(body, opened.state) };
  await deps.forms.update(view.private_metadata, ownerOf(actorOf(payload)), state);
  try {
    await deps.web
      .updateView(view.id, view.hash, draw({ operation, state, view }, [], deps))
      .catch((thrown: unknown) => redrawLatest(thrown, opened, deps));
  } catch (cause) {
    deps.logger.info({ operation: operation.id, cause }, 'a form was not drawn again');
  }
}

/** Two changes in quick succession carry one hash: the one that is too late draws what is kept. */
async function redrawLatest(thrown: unknown, opened: Opened, deps: SlackDeps): Promise<void> {
  if (slackErrorOf(thrown) !== 'hash_conflict') throw thrown;
  const { operation, view, payload } = opened;
  const state = await loadForm(view.private_metadata, actorOf(payload), deps);
  if (state === undefined) return;
  await deps.web.updateView(view.id, undefined, draw({ operation, state, view }, [], deps));
}

function openSections(body: unknown, state: FormState): readonly string[] {
  const action = readPayload(toggled, body).actions[0];
  if (action === undefined || !action.block_id.startsWith(`${TOGGLE}:`)) return state.open;
  const name = action.value ?? '';
  return state.open.includes(name)
    ? state.open.filter((section) => section !== name)
    : [...state.open, name];
}
