import { useState } from 'preact/hooks';
import { Channel } from './chat/channel.tsx';
import { Hints } from './hints.tsx';
import { HOME } from './location.ts';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { Traffic } from './traffic.tsx';
import { Home } from './views/home.tsx';
import { ViewStack } from './views/view-stack.tsx';
import { useWorkspace } from './workspace.ts';

/** The page's frame: bar, channels, what is open, the traffic log, the modal on top. */
export function Shell({ live }: { readonly live: boolean }) {
  const { state, place } = useWorkspace();
  const [traffic, setTraffic] = useState(false);
  const channel = state.channels.find((each) => each.id === place.in);
  return (
    <div class="shell">
      <TopBar live={live} traffic={traffic} toggleTraffic={() => setTraffic(!traffic)} />
      <Sidebar />
      <div class="middle">
        <Hints />
        {place.in === HOME ? <Home key={place.as} /> : null}
        {channel ? <Channel key={`${place.as}/${channel.id}`} channel={channel} /> : null}
        {place.in === null ? (
          <main class="pane">No channel is visible to @{state.me.name}.</main>
        ) : null}
      </div>
      {traffic ? <Traffic entries={state.traffic} /> : null}
      <ViewStack />
    </div>
  );
}
