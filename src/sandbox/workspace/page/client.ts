import type {
  ElementSource,
  Json,
  PageAction,
  PageAnswer,
  PageState,
} from '../protocol/page-protocol.ts';
import { isJson } from './json.ts';

type WithoutPerson<T> = T extends unknown ? Omit<T, 'as'> : never;
/** An action before the person is added. */
export type Act = WithoutPerson<PageAction>;

/** Where an element stands: with its source, the address of what is typed into it. */
export type ElementPlace = {
  readonly source: ElementSource;
  readonly blockId: string;
  readonly actionId: string;
};

export type Client = {
  readonly person: string | null;
  /** Sends an action, after everything that was typed before it. Never throws: a fault is an answer too. */
  act(action: Act): Promise<PageAnswer>;
  /** Remembers what is typed; sent after 150 ms of rest, or before the next action. */
  type(place: ElementPlace, state: Json): void;
  refresh(): void;
  close(): void;
};

export type ClientEvents = {
  state(state: PageState): void;
  /** Whether the server can be heard. */
  connection(live: boolean): void;
};

const TYPING_REST_MS = 150;

/**
 * The page's line to its server for one person: the state on every change, actions in their order.
 * @param person the persona's id, or null for whoever the server offers first
 */
export function connect(person: string | null, events: ClientEvents): Client {
  const query = person === null ? '' : `?as=${encodeURIComponent(person)}`;
  const stream = new EventSource(`/local/events${query}`);
  const state = createStateReader(query, events);
  stream.addEventListener('change', state.refresh);
  stream.addEventListener('open', () => {
    events.connection(true);
    state.refresh();
  });
  stream.addEventListener('error', () => events.connection(false));
  state.refresh();

  const post = async (action: Act): Promise<PageAnswer> => {
    const answer = await send({ ...action, as: person ?? state.person() });
    state.refresh();
    return answer;
  };
  const typing = createTyping(post);
  return {
    person,
    async act(action) {
      // A suggestion is asked for at every key: it does not wait for what is still being typed.
      if (action.kind !== 'suggest') await typing.flush();
      return post(action);
    },
    type: typing.type,
    refresh: state.refresh,
    close() {
      void typing.flush();
      state.close();
      stream.close();
    },
  };
}

/** False once this page has read a state: the first read is a reload, with which ephemerals go. */
let fresh = true;

function stateAddress(query: string): string {
  const keys = new URLSearchParams(query);
  if (fresh) keys.set('reload', '1');
  fresh = false;
  return `/local/state?${keys.toString()}`;
}

/** One read at a time; a change during a read leads to exactly one more. */
function createStateReader(query: string, events: ClientEvents) {
  let reading = false;
  let again = false;
  let closed = false;
  let me = '';
  const read = async (): Promise<void> => {
    const response = await fetch(stateAddress(query), { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`The workspace answered ${response.status}.`);
    const state: PageState = await response.json();
    if (closed) return;
    me = state.me.id;
    events.state(state);
  };
  const refresh = (): void => {
    if (closed) return;
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    again = false;
    read()
      .catch(() => events.connection(false))
      .finally(() => {
        reading = false;
        if (again) refresh();
      });
  };
  const close = (): void => {
    closed = true;
  };
  return { refresh, person: () => me, close };
}

function createTyping(post: (action: Act) => Promise<PageAnswer>) {
  const waiting = new Map<string, { send: () => Promise<void>; timer: number }>();
  const underway = new Set<Promise<void>>();
  const start = (key: string): void => {
    const entry = waiting.get(key);
    if (!entry) return;
    clearTimeout(entry.timer);
    waiting.delete(key);
    const sending = entry.send().finally(() => underway.delete(sending));
    underway.add(sending);
  };
  return {
    type(place: ElementPlace, state: Json): void {
      const key = JSON.stringify(place);
      clearTimeout(waiting.get(key)?.timer);
      const send = async () => void (await post({ kind: 'type', ...place, state }));
      waiting.set(key, { send, timer: setTimeout(start, TYPING_REST_MS, key) });
    },
    async flush(): Promise<void> {
      for (const key of [...waiting.keys()]) start(key);
      await Promise.all(underway);
    },
  };
}

async function send(action: PageAction): Promise<PageAnswer> {
  try {
    const response = await fetch('/local/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    const answer: unknown = await response.json();
    if (isJson(answer) && typeof answer['ok'] === 'boolean') return { ...answer, ok: answer['ok'] };
    return { ok: false, error: `The workspace answered ${response.status} without a sentence.` };
  } catch {
    return {
      ok: false,
      error: 'The local workspace does not answer. Is the playground still running?',
    };
  }
}
