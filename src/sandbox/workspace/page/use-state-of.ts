import { useEffect, useState } from 'preact/hooks';
import type { PageState } from '../protocol/page-protocol.ts';
import { type Client, connect } from './client.ts';

export type Line = {
  readonly client: Client;
  readonly state: PageState | null;
  readonly live: boolean;
};

/** The line to the server for one person; a change of person opens a new one. */
export function useStateOf(person: string | null): Line | null {
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
