import type { ModalView } from '@slack/types';
import type { Card } from '../../core/card/card.ts';
import type { Text } from '../../core/text/text.ts';
import type { Reply } from '../outbound/replies.ts';
import { section } from '../render/blocks.ts';
import { cut, toMrkdwn } from '../render/mrkdwn.ts';

/** A trigger lives three seconds: whoever would wait longer than this waits at an open window. */
const OPEN_AFTER_MS = 400;

type OpenedView = { readonly viewId: string };

/** A reply whose form opens in time, whatever has to be looked up before it. */
export type InTime = {
  readonly reply: Reply;
  /** Everything is said: a window that still says "one moment" says so. */
  over(): Promise<void>;
};

/**
 * Where looking things up takes long, a window opens while the trigger still can, and what follows
 * fills it: the form, or why there is none. Design: §3. Facts: Modals.
 */
export function openInTime(given: Reply, title: string): InTime {
  const { deps, triggerId } = given;
  const stop = new AbortController();
  let isFilled = false;
  const opening: Promise<OpenedView | undefined> =
    triggerId === undefined
      ? Promise.resolve(undefined)
      : deps.clock.sleep(OPEN_AFTER_MS, stop.signal).then(
          () => deps.web.openView(triggerId, window(title, [WAIT])).catch(() => undefined),
          () => undefined,
        );
  const unfilled = async (): Promise<OpenedView | undefined> => {
    stop.abort();
    const opened = await opening;
    return isFilled ? undefined : opened;
  };
  const fill = async ({ viewId }: OpenedView, view: ModalView): Promise<void> => {
    // Nobody else changes it before it is filled.
    await deps.web
      .updateView(viewId, undefined, view)
      .catch(() => deps.web.updateView(viewId, undefined, view));
    isFilled = true;
  };
  const say = async (opened: OpenedView, words: Card | Text): Promise<boolean> => {
    const { headline, lines = [], actions = [] } = 'tone' in words ? words : { headline: words };
    const told = [headline, ...lines].map((line) => cut(toMrkdwn(line), 3_000));
    try {
      await fill(opened, window(title, told));
    } catch (cause) {
      deps.logger.info({ cause }, 'a window could not be filled');
      return false;
    }
    // Buttons work in a message alone.
    return actions.length === 0;
  };
  function inTime(reply: Reply): Reply {
    return {
      ...reply,
      to: (address) => inTime(reply.to(address)),
      show: async (view) => {
        const opened = await unfilled();
        await (opened === undefined ? reply.show(view) : fill(opened, view));
      },
      tell: async (words) => {
        const opened = await unfilled();
        if (opened === undefined || !(await say(opened, words))) await reply.tell(words);
      },
    };
  }
  return {
    reply: inTime(given),
    over: async () => {
      const opened = await unfilled();
      if (opened !== undefined) await say(opened, [OVER]);
    },
  };
}

const WAIT =
  'One moment: Slack is asked what the rules need to know. If nothing follows, close this and ask again; nothing is done by it.';
const OVER =
  'There is nothing to fill in here: the answer stands in a message. You can close this.';

function window(title: string, texts: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: cut(title, 24) },
    close: { type: 'plain_text', text: 'Close' },
    // Only published block types stand here.
    blocks: texts
      .filter((text) => text !== '')
      .slice(0, 100)
      .map(section) as ModalView['blocks'],
  };
}
