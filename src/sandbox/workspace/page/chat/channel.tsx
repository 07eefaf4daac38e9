import type { PageChannel } from '../../protocol/page-protocol.ts';
import { channelLabel } from '../elements/options.ts';
import { Menu } from '../menu.tsx';
import { Notice } from '../notice.tsx';
import { useWorkspace } from '../workspace.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { ThreadPanel } from './thread-panel.tsx';
import { threadsOf } from './threads.ts';

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
