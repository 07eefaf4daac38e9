import { useEffect, useState } from 'preact/hooks';
import type { PageState } from '../protocol/page-protocol.ts';
import { Channel } from './chat/channel.tsx';
import { type Client, connect } from './client.ts';
import { Hints } from './hints.tsx';
import { HOME, type Place, readPlace, writePlace } from './location.ts';
import { Sidebar } from './sidebar.tsx';
import { type Drawer, TopBar } from './top-bar.tsx';
import { Traffic } from './traffic.tsx';
import { ConfirmDialog, useConfirm } from './views/confirm.tsx';
import { Home } from './views/home.tsx';
import { ViewStack } from './views/view-stack.tsx';
import { useWorkspace, WorkspaceContext } from './workspace.ts';
import { World } from './world.tsx';

/** The page: waits for the first state, then gives everything below it the workspace. */
export function App() {
  const [place, setPlace] = usePlace();
  const line = useStateOf(place.as);
  if (!line?.state) {
    return (
      <p class="loading" role="status">
        {line?.live === false ? <NoAnswer /> : 'Opening the local workspace …'}
      </p>
    );
  }
  return <Open line={line} state={line.state} place={place} setPlace={setPlace} />;
}

function NoAnswer() {
  return (
    <>
      The local workspace does not answer, or does not know the person in the link.{' '}
      <a href="/">Start over</a>
    </>
  );
}

type Props = {
  readonly line: Line;
  readonly state: NonNullable<Line['state']>;
  readonly place: Place;
  setPlace(place: Place): void;
};

function Open({ line, state, place, setPlace }: Props) {
  const [notice, tell] = useState<string | null>(null);
  const [draft, propose] = useState<string | null>(null);
  const [question, confirm] = useConfirm();
  useEffect(() => tell(null), [place.as, place.in]);
  const current: Place = { ...place, as: place.as ?? state.me.id, in: placeIn(place, state) };
  const workspace = {
    state,
    client: line.client,
    place: current,
    go: (to: { as?: string; in?: string; thread?: string }) =>
      setPlace({ as: to.as ?? current.as, in: to.in ?? current.in, thread: to.thread ?? null }),
    tell,
    notice,
    confirm,
    draft,
    propose,
  };
  return (
    <WorkspaceContext.Provider value={workspace}>
      <Shell live={line.live} />
      {question ? <ConfirmDialog {...question} /> : null}
    </WorkspaceContext.Provider>
  );
}

/** The open channel; when this person may not see the one in the link, the first that they may. */
function placeIn(place: Place, state: Props['state']): string | null {
  if (place.in === 'home' || state.channels.some((channel) => channel.id === place.in))
    return place.in;
  return state.channels[0]?.id ?? null;
}

/** The place in the URL's hash, and the way to another one: a step that the back button undoes. */
function usePlace(): readonly [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash));
  useEffect(() => {
    const read = (): void => setPlace(readPlace(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const go = (to: Place): void => {
    location.hash = writePlace(to);
    setPlace(to);
  };
  return [place, go];
}

type Line = {
  readonly client: Client;
  readonly state: PageState | null;
  readonly live: boolean;
};

/** The line to the server for one person; a change of person opens a new one. */
function useStateOf(person: string | null): Line | null {
  const [line, setLine] = useState<Line | null>(null);
  useEffect(() => {
    const client: Client = connect(person, {
      state: (state) => setLine({ client, state, live: true }),
      connection: (live) =>
        setLine((before) => (before?.client === client ? { ...before, live } : before)),
    });
    setLine((before) => ({ client, state: before?.state ?? null, live: true }));
    return () => client.close();
  }, [person]);
  return line;
}

/** The page's frame: bar, channels, what is open, the traffic log, the modal on top. */
function Shell({ live }: { readonly live: boolean }) {
  const { state, place } = useWorkspace();
  const [drawer, setDrawer] = useState<Drawer>(null);
  const channel = state.channels.find((each) => each.id === place.in);
  return (
    <div class="shell">
      <TopBar
        live={live}
        drawer={drawer}
        toggle={(wanted) => setDrawer(drawer === wanted ? null : wanted)}
      />
      <Sidebar />
      <div class="middle">
        <Hints />
        {place.in === HOME ? <Home key={place.as} /> : null}
        {channel ? <Channel key={`${place.as}/${channel.id}`} channel={channel} /> : null}
        {place.in === null ? (
          <main class="pane">No channel is visible to @{state.me.name}.</main>
        ) : null}
      </div>
      {drawer === 'traffic' ? <Traffic entries={state.traffic} /> : null}
      {drawer === 'world' && state.switches ? <World switches={state.switches} /> : null}
      <ViewStack />
    </div>
  );
}
