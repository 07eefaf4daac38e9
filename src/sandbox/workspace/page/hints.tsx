import { useState } from 'preact/hooks';
import { CONSOLE_GROUP } from '../protocol/page-protocol.ts';
import { writePlace } from './location.ts';
import { Tour } from './tour.tsx';
import { useWorkspace } from './workspace.ts';

const KEY = 'steward-playground-hints';
/** The tour's step, for as long as the tab is open. */
const TOUR_KEY = 'steward-playground-tour';

type Try = { readonly channel: string; readonly text: string; readonly why: string };

const TRIES: readonly Try[] = [
  { channel: 'ops', text: '/db', why: 'a menu of what you may do here' },
  { channel: 'ops', text: '/db stop scratch', why: 'allowed, asks first' },
  { channel: 'random', text: '/db stop scratch', why: 'refused: the rules differ by channel' },
  {
    channel: 'ops',
    text: '/db stop analytics',
    why: 'needs a second person: press, then act as Ben',
  },
  {
    channel: 'ops',
    text: '/db stop reader --break-glass the disk is full',
    why: 'as Ben: without an approval, and announced',
  },
  { channel: 'ops', text: '/db cost 7d', why: 'numbers that say how sure they are' },
];

/** Where the cloud shows its services. */
const CLOUD_TRIES: readonly Try[] = [
  { channel: 'ops', text: '/db wake archive', why: 'idle is not stopped; its message goes on' },
  { channel: 'ops', text: '/db activity', why: 'who did what, past Steward as well' },
];

/** Things to try, until they are put away; remembered in this browser. */
export function Hints() {
  const { state, place, propose } = useWorkspace();
  const [shown, setShown] = useState(() => localStorage.getItem(KEY) === null);
  const show = (next: boolean): void => {
    if (next) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'away');
    setShown(next);
  };
  const isCloud = state.switches?.some(({ group }) => group === CONSOLE_GROUP) === true;
  const tries = isCloud ? [...TRIES, ...CLOUD_TRIES] : TRIES;
  const [tour, setTour] = useState(() => {
    const at = sessionStorage.getItem(TOUR_KEY);
    return at === null ? null : Number(at);
  });
  const goTo = (at: number | null): void => {
    if (at === null) sessionStorage.removeItem(TOUR_KEY);
    else sessionStorage.setItem(TOUR_KEY, String(at));
    setTour(at);
  };
  if (tour !== null) return <Tour at={tour} go={goTo} />;
  if (!shown) {
    return (
      <button type="button" class="plain hints-again" onClick={() => show(true)}>
        Things to try
      </button>
    );
  }
  return (
    <section class="hints" aria-label="Things to try">
      <header>
        <h2>Things to try</h2>
        <span>
          <button type="button" class="button" onClick={() => goTo(0)}>
            Show me around
          </button>{' '}
          <button type="button" class="button" onClick={() => show(false)}>
            Hide these
          </button>
        </span>
      </header>
      <ul>
        {tries.map(({ channel, text, why }) => {
          const found = state.channels.find((each) => each.name === channel);
          if (!found) return null;
          return (
            <li key={channel + text}>
              <a
                href={writePlace({ as: place.as, in: found.id, thread: null })}
                onClick={() => propose(text)}
              >
                <code>{text}</code>
              </a>{' '}
              in #{channel}: {why}
            </li>
          );
        })}
      </ul>
      <p class="quiet">
        Each one is put into the message field for you to send. Switch people with “Act as”.
      </p>
    </section>
  );
}
