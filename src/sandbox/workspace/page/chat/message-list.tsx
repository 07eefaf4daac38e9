import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { dayHeading, dayKey } from '../text/date-token.ts';
import { useWorkspace } from '../workspace.ts';
import { Message } from './message.tsx';
import type { Thread } from './threads.ts';

const NEAR_END_PX = 120;

type Props = { readonly name: string; readonly threads: readonly Thread[] };

/** The messages of a channel by day; a screen reader is told of new ones. */
export function MessageList({ name, threads }: Props) {
  const { state } = useWorkspace();
  const list = useStickToEnd(threads.length);
  const { zone } = state.me;
  return (
    <div
      ref={list}
      class="messages"
      role="log"
      aria-live="polite"
      aria-label={`Messages in ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
      tabIndex={0}
    >
      {threads.length === 0 ? <p class="quiet empty">Nothing was said here yet.</p> : null}
      {threads.map(({ root, replies }, index) => {
        const day = dayKey(Number(root.ts), zone);
        const before = threads[index - 1];
        const newDay = before === undefined || dayKey(Number(before.root.ts), zone) !== day;
        return (
          <Fragment key={root.ts}>
            {newDay ? (
              <h3 class="day">{dayHeading(Number(root.ts), { zone, now: state.now })}</h3>
            ) : null}
            <Message message={root} replies={replies.length} />
          </Fragment>
        );
      })}
    </div>
  );
}

/** Keeps the end in sight while the person is near it; one who reads further up is left alone. */
function useStickToEnd(length: number) {
  const list = useRef<HTMLDivElement>(null);
  const near = useRef(true);
  const seen = useRef(-1);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const watch = (): void => {
      near.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    };
    element.addEventListener('scroll', watch);
    return () => element.removeEventListener('scroll', watch);
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (element && (near.current || seen.current < 0)) element.scrollTop = element.scrollHeight;
    seen.current = length;
  });
  return list;
}
