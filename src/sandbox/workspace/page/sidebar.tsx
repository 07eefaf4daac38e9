import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageChannel } from '../protocol/page-protocol.ts';
import { channelLabel } from './elements/options.ts';
import { HOME, writePlace } from './location.ts';
import { markSeen, type Seen, unreadChannels } from './unread.ts';
import { useWorkspace } from './workspace.ts';

/** Channels, direct messages and the bot's Home tab, as links that can be copied. */
export function Sidebar() {
  const { state, place } = useWorkspace();
  const unread = useUnread();
  return (
    <nav class="sidebar" aria-label="Channels">
      <p class="workspace-name">{state.workspace.name}</p>
      <ul>
        <li>
          <PlaceLink to={HOME} here={place.in === HOME}>
            Home
          </PlaceLink>
        </li>
        {state.channels.map((channel) => (
          <li key={channel.id}>
            <PlaceLink to={channel.id} here={place.in === channel.id}>
              {channelLabel(channel)}
            </PlaceLink>
            <Marks channel={channel} unread={unread.has(channel.id)} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Marks({ channel, unread }: { readonly channel: PageChannel; readonly unread: boolean }) {
  const words = [
    channel.kind === 'private' ? 'private' : '',
    channel.shared ? 'shared' : '',
    channel.archived ? 'archived' : '',
  ].filter(Boolean);
  return (
    <>
      {words.length > 0 ? <small>{words.join(', ')}</small> : null}
      {unread ? <span class="unread" role="img" aria-label="Unread messages" /> : null}
    </>
  );
}

type LinkProps = { readonly to: string; readonly here: boolean; readonly children: string };

function PlaceLink({ to, here, children }: LinkProps) {
  const { place } = useWorkspace();
  const hash = writePlace({ as: place.as, in: to, thread: null });
  return (
    <a href={hash} aria-current={here ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** Channels with something new for this person since the page opened. */
function useUnread(): ReadonlySet<string> {
  const { state, place } = useWorkspace();
  const [seen, setSeen] = useState<Seen>({});
  const since = useRef(Date.parse(state.now) / 1000);
  const person = state.me.id;
  useEffect(() => {
    if (place.in !== null) {
      const at = { person, channel: place.in };
      setSeen((before) => markSeen(before, state.messages, at));
    }
  }, [state.messages, place.in, person]);
  const unread = new Set(unreadChannels(state.messages, person, seen, since.current));
  unread.delete(place.in ?? '');
  return unread;
}
