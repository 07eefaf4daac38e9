import { z } from 'zod';
import { bold, say } from '../../../core/text/text.ts';
import { type FormState, goneView, TOGGLE } from '../../form/form.ts';
import { withPicks } from '../../form/values.ts';
import { placeOf } from '../../outbound/deps.ts';
import type { Replies } from '../../outbound/replies.ts';
import { slackErrorOf } from '../../web/slack-failure.ts';
import { actorOf, readInteractive, readPayload } from '../intake/payloads.ts';
import {
  draw,
  keepForm,
  latestOf,
  type Opened,
  readForm,
  type Turns,
  withView,
} from './open-forms.ts';

const changed = z.looseObject({
  actions: z
    .array(
      z.looseObject({
        block_id: z.string(),
        value: z.string().nullish(),
        action_ts: z.string().optional(),
      }),
    )
    .min(1),
});

/** A fold was pressed or a field changed that others follow: draw again, nothing typed is lost. */
export async function redraw(body: unknown, replies: Replies, turns: Turns): Promise<void> {
  const { view } = readPayload(withView, body);
  await turns.take(view.private_metadata, async () => {
    const { deps } = replies;
    const opened = await readForm(body, deps);
    if (opened === undefined) {
      await deps.web.updateView(view.id, undefined, goneView()).catch((cause) => {
        deps.logger.info({ cause }, 'a form that is too old does not say so');
      });
      return;
    }
    const state = changedState(body, opened);
    await keepForm(opened, state, deps);
    if (!(await drawn(opened, state, replies))) await tellStale(opened, body, replies);
  });
}

/**
 * Payloads come in any order: by Slack's own time the newest says what stands in the form. Of an older
 * one its fold counts, which is in no other.
 */
function changedState(body: unknown, { state, operation, raw }: Opened): FormState {
  const action = readPayload(changed, body).actions[0];
  const at = action?.action_ts ?? '';
  const open = foldsAfter(action, state);
  if (at !== '' && Number(at) < Number(state.changedAt ?? 0)) return { ...state, open };
  const again = withPicks(raw, operation.fields, state.picks ?? {});
  return { ...state, raw: again, open, changedAt: at === '' ? state.changedAt : at };
}

function foldsAfter(
  action: z.output<typeof changed>['actions'][number] | undefined,
  state: FormState,
): readonly string[] {
  if (action === undefined || !action.block_id.startsWith(`${TOGGLE}:`)) return state.open;
  const name = action.value ?? '';
  return state.open.includes(name)
    ? state.open.filter((section) => section !== name)
    : [...state.open, name];
}

const TRIES = 3;
const PAUSE_MS = 150;

/**
 * Whether it stands there. Another change may have drawn it meanwhile: then what is kept by now is
 * drawn over it. A form that was sent or closed needs nothing more.
 */
async function drawn(opened: Opened, first: FormState, { deps }: Replies): Promise<boolean> {
  const { view } = opened;
  let state = first;
  let hash: string | undefined = view.hash;
  for (let tries = 1; ; tries += 1) {
    try {
      await deps.web.updateView(view.id, hash, draw(opened, state, [], deps));
      return true;
    } catch (cause) {
      const error = slackErrorOf(cause);
      if (error === 'not_found' || error === 'view_not_found') return true;
      deps.logger.info({ operation: opened.operation.id, cause }, 'a form was not drawn again');
      if (tries === TRIES) return false;
    }
    await deps.clock.sleep(tries * PAUSE_MS);
    const latest = await latestOf(opened, deps);
    if (latest === undefined || latest.round !== first.round) return true;
    state = latest;
    hash = undefined;
  }
}

async function tellStale(
  { state, operation }: Opened,
  body: unknown,
  replies: Replies,
): Promise<void> {
  const actor = actorOf(readInteractive(body));
  const place = placeOf(state.channelId, state.options?.thread);
  try {
    await replies
      .to({ actor, place })
      .tell(
        say`Slack did not draw the form ${bold(operation.title)} again, so it may show old choices. What you typed is kept: change the field once more, or send it.`,
      );
  } catch (cause) {
    replies.deps.logger.error({ cause }, 'a form that was not drawn again was not told of');
  }
}
