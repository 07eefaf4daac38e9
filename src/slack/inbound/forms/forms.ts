import type { App } from '@slack/bolt';
import { goneView, TOGGLE } from '../../form/form.ts';
import { withoutReason } from '../../form/values.ts';
import { placeOf } from '../../outbound/deps.ts';
import type { Replies, Reply } from '../../outbound/replies.ts';
import { type Answer, answerOnce } from '../intake/acknowledge.ts';
import { receive } from '../intake/intake.ts';
import { actorOf, deliveryOf, readInteractive, readPayload } from '../intake/payloads.ts';
import { journalRefusal, NO_OPERATION } from '../intake/refused.ts';
import { perform } from '../perform.ts';
import { complaintOf } from './complaints.ts';
import {
  createTurns,
  keepForm,
  type Opened,
  readForm,
  type Turns,
  withView,
} from './open-forms.ts';
import { redraw } from './redraw.ts';

/** What Slack waits for; after that the form closes and the rest is told in the channel. */
const ANSWER_WITHIN_MS = 2_300;

/** Submissions and changes inside a form. */
export function registerForms(app: App, replies: Replies): void {
  const { deps } = replies;
  const turns = createTurns();
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
      (reply) => submitted(body, { answer, reply, turns }),
    );
  });
  const changed = async (args: { ack: () => Promise<void>; body: unknown }): Promise<void> => {
    await args.ack();
    await deps.track(redraw(args.body, replies, turns));
  };
  app.action({ block_id: new RegExp(`^${TOGGLE}:`, 'u') }, changed);
  app.action({ block_id: /^f:/u }, changed);
}

type Submission = { readonly answer: Answer; readonly reply: Reply; readonly turns: Turns };

async function submitted(body: unknown, submission: Submission): Promise<void> {
  const { answer, reply } = submission;
  const { actor, deps, received } = reply;
  const opened = await readForm(body, deps);
  if (opened !== undefined) return await submit(opened, submission);
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
async function submit(opened: Opened, { answer, reply, turns }: Submission): Promise<void> {
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
    intercept: async (outcome) => {
      const about = { ...again, actor, place, drawing: turns.busy(view.private_metadata) };
      const complaint = answer.given() ? undefined : await complaintOf(outcome, about, deps);
      // The next submission is one of its own only once this one is kept.
      if (complaint !== undefined) await keepForm(opened, complaint.state, deps);
      complains = complaint !== undefined && !answer.given();
      await answer.give(complaint?.answer);
      return complains;
    },
  });
  await running.finally(() => timer.abort());
  await late;
  // What was typed has left the form: it is not kept for whoever reads the database.
  if (!complains) await keepForm(opened, { ...state, raw: {}, picks: {} }, deps);
  await answer.give();
}
