import { useEffect, useState } from 'preact/hooks';
import type { Place } from './location.ts';
import { Shell } from './shell.tsx';
import { usePlace } from './use-place.ts';
import { type Line, useStateOf } from './use-state-of.ts';
import { ConfirmDialog, useConfirm } from './views/confirm.tsx';
import { WorkspaceContext } from './workspace.ts';

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
