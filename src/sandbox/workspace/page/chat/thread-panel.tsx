import { useEffect, useRef } from 'preact/hooks';
import type { PageChannel } from '../../protocol/page-protocol.ts';
import { channelLabel } from '../elements/options.ts';
import { useWorkspace } from '../workspace.ts';
import { Composer } from './composer.tsx';
import { Message } from './message.tsx';
import { threadMessages } from './threads.ts';

type Props = { readonly channel: PageChannel; readonly ts: string };

/** A thread beside its channel; Escape closes it. */
export function ThreadPanel({ channel, ts }: Props) {
  const { state, go } = useWorkspace();
  const name = channelLabel(channel);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), [ts]);
  return (
    <aside
      class="thread"
      aria-label={`Thread in ${name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') go({});
      }}
    >
      <header class="pane-head">
        <h2 ref={head} tabIndex={-1}>
          Thread
        </h2>
        <p class="quiet">{name}</p>
        <button type="button" class="button" onClick={() => go({})}>
          Close thread
        </button>
      </header>
      <div class="messages" role="log" aria-live="polite" aria-label={`Replies in ${name}`}>
        {threadMessages(state.messages, channel.id, ts).map((message) => (
          <Message key={message.ts} message={message} replies={null} />
        ))}
      </div>
      <Composer channel={channel.id} label="Reply in thread" threadTs={ts} />
    </aside>
  );
}
