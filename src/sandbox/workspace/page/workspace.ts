import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ElementSource, Json, PageState, StateValues } from '../protocol/page-protocol.ts';
import type { Client } from './client.ts';
import type { Place } from './location.ts';

/** What every part of the page may ask for. */
export type Workspace = {
  readonly state: PageState;
  readonly client: Client;
  readonly place: Place;
  /** Goes to another place; what is not named stays, an undefined thread is closed. */
  go(to: { readonly as?: string; readonly in?: string; readonly thread?: string }): void;
  /** Tells the person something went amiss. */
  tell(sentence: string | null): void;
  readonly notice: string | null;
  /** Asks with a `confirm` object of Block Kit; true when there is none. */
  confirm(dialog: Json | null): Promise<boolean>;
  /** A line to put into the composer, from the hints. */
  readonly draft: string | null;
  propose(draft: string | null): void;
};

/** Where the elements below stand, and what was typed into them. */
export type Surface = {
  readonly source: ElementSource;
  readonly values: StateValues;
  readonly errors: Readonly<Record<string, string>>;
};

export const WorkspaceContext = createContext<Workspace | null>(null);
export const SurfaceContext = createContext<Surface | null>(null);

/** The workspace above this component. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('No workspace above this component.');
  return workspace;
}

/** The message or view above this element. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (surface === null) throw new Error('No message or view above this element.');
  return surface;
}
