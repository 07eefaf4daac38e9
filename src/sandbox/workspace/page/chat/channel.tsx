import { useEffect, useRef } from 'preact/hooks';
import type { PageChannel } from '../../protocol/page-protocol.ts';
import { channelLabel } from '../elements/options.ts';
import { Menu } from '../menu.tsx';
import { Notice } from '../notice.tsx';
import { useWorkspace } from '../workspace.ts';
import { Composer } from './composer.tsx';
import { Message } from './message.tsx';
import { MessageList } from './message-list.tsx';
import { threadMessages, threadsOf } from './threads.ts';

/** One channel: its messages, the composer, and a thread beside them. */
export function Channel({ channel }: { readonly channel: PageChannel }) {
  const { state, place, notice } = useWorkspace();
  const name = channelLabel(channel);
  return (
    <>
      <main class="pane">
        <header class="pane-head">
          <h2>{name}</h2>
          <p class="quiet">{about(channel)}</p>
          <GlobalShortcuts />
        </header>
        <MessageList name={name} threads={threadsOf(state.messages, channel.id)} />
        {notice !== null && state.views.length === 0 ? <Notice /> : null}
        <Composer channel={channel.id} label={`Message ${name}`} threadTs={null} />
      </main>
      {place.thread === null ? null : <ThreadPanel channel={channel} ts={place.thread} />}
    </>
  );
}

function about(channel: PageChannel): string {
  const kind = { public: 'Public channel', private: 'Private channel', dm: 'Direct message' }[
    channel.kind
  ];
  const more = [
    channel.shared ? 'shared with another organization' : '',
    channel.archived ? 'archived' : '',
  ];
  return [kind, ...more.filter(Boolean)].join(', ');
}

function GlobalShortcuts() {
  const { state, client, tell } = useWorkspace();
  const items = state.shortcuts
    .filter((shortcut) => shortcut.type === 'global')
    .map(({ callbackId, name }) => ({
      key: callbackId,
      label: name,
      choose: () =>
        void client.act({ kind: 'shortcut', callbackId }).then((answer) => {
          if (!answer.ok) tell(answer.error ?? 'The shortcut did not work.');
        }),
    }));
  if (items.length === 0) return null;
  return (
    <Menu name="Shortcuts" items={items}>
      Shortcuts
    </Menu>
  );
}

type Props = { readonly channel: PageChannel; readonly ts: string };

/** A thread beside its channel; Escape closes it. */
function ThreadPanel({ channel, ts }: Props) {
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
