/**
 * What the page of the local workspace and its server say to each other. The server fills it, the
 * page draws it; types only, so that both sides compile against the same words.
 *
 * `GET  /local/state?as=U…`   answers `PageState`, all that this person may see.
 * `GET  /local/events?as=U…`  is a server-sent event stream; each `change` event carries the new version.
 * `POST /local/act`           takes a `PageAction` as JSON and answers `PageAnswer`.
 */

/** A Block Kit block or element as the bot sent it, with generated ids filled in. */
export type Json = { readonly [key: string]: unknown };

export type Persona = {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly kind: 'member' | 'guest' | 'outsider' | 'bot' | 'deleted';
  readonly zone: string;
};

export type PageChannel = {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'dm';
  readonly shared: boolean;
  readonly archived: boolean;
};

export type PageFile = {
  readonly id: string;
  readonly title: string;
  readonly mimetype: string;
  readonly url: string;
};

export type PageMessage = {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly userId: string;
  readonly userName: string;
  readonly fromBot: boolean;
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly files: readonly PageFile[];
  /** Seen by this person alone. */
  readonly ephemeral: boolean;
  readonly edited: boolean;
  /** What this person has chosen in it, as in a payload's `state.values`. */
  readonly values?: StateValues;
};

export type PageView = {
  readonly id: string;
  readonly hash: string;
  readonly callbackId: string;
  readonly title: string;
  readonly submit: string | null;
  readonly close: string;
  readonly blocks: readonly Json[];
  /** By block_id: beside the field, from the bot's `response_action: errors` or the client-side checks. */
  readonly errors: Readonly<Record<string, string>>;
  /** A submission waits for its answer. */
  readonly busy: boolean;
  /** What the person has typed so far, as in a payload's `state.values`. */
  readonly values: StateValues;
};

/** `state.values` of a payload: block_id → action_id → element state. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, Json>>>>;

export type TrafficEntry = {
  readonly at: string;
  readonly direction: 'to-bot' | 'from-bot';
  /** `slash_commands`, `block_actions`, `chat.postMessage`, `response_url` … */
  readonly what: string;
  readonly detail: string;
  readonly problem: string | null;
  readonly milliseconds: number | null;
};

/** Of switches by which somebody acts in the cloud past the bot; there are none without such a cloud. */
export const CONSOLE_GROUP = 'In the cloud’s console';

/** A fault that can be switched on and off, of the workspace or of what stands around it. */
export type PageSwitch = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly on: boolean;
};

export type PageState = {
  readonly version: number;
  readonly now: string;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly me: Persona;
  readonly personas: readonly Persona[];
  readonly channels: readonly PageChannel[];
  /** Oldest first; ephemerals of this person included in their place. */
  readonly messages: readonly PageMessage[];
  /** The modal stack, top last. */
  readonly views: readonly PageView[];
  readonly home: PageView | null;
  readonly commands: readonly {
    readonly command: string;
    readonly description: string;
    readonly usageHint: string;
  }[];
  readonly shortcuts: readonly {
    readonly callbackId: string;
    readonly name: string;
    readonly type: 'global' | 'message';
  }[];
  readonly botConnected: boolean;
  /** Newest first, at most 200. */
  readonly traffic: readonly TrafficEntry[];
  /** Absent where whoever started the workspace offers none, and then the clock stands as it is. */
  readonly switches?: readonly PageSwitch[] | undefined;
};

/** Where a pressed or changed element stands. */
export type ElementSource =
  | { readonly message: { readonly channel: string; readonly ts: string } }
  | { readonly view: string };

export type PageAction = { readonly as: string } & (
  | {
      readonly kind: 'say';
      readonly channel: string;
      readonly text: string;
      readonly threadTs?: string | undefined;
    }
  | {
      /** A button, or an element whose value was changed (its new state in `state`). */
      readonly kind: 'act';
      readonly source: ElementSource;
      readonly blockId: string;
      readonly actionId: string;
      /** The element's new state, as in `state.values`; absent for a button. */
      readonly state?: Json | undefined;
      /** An overflow menu's chosen option, likewise inside `state`. */
    }
  | {
      /** Typing without dispatch: the server remembers it, the bot is told nothing. */
      readonly kind: 'type';
      readonly source: ElementSource;
      readonly blockId: string;
      readonly actionId: string;
      readonly state: Json;
    }
  | { readonly kind: 'submit'; readonly view: string }
  | { readonly kind: 'close'; readonly view: string; readonly all?: boolean }
  | {
      readonly kind: 'suggest';
      readonly source: ElementSource;
      readonly blockId: string;
      readonly actionId: string;
      readonly value: string;
    }
  | { readonly kind: 'shortcut'; readonly callbackId: string }
  | {
      readonly kind: 'messageShortcut';
      readonly callbackId: string;
      readonly channel: string;
      readonly ts: string;
    }
  | { readonly kind: 'openHome' }
  | { readonly kind: 'switch'; readonly id: string; readonly on: boolean }
  /** Moves the clock of the world ahead by an ISO 8601 duration. */
  | { readonly kind: 'advance'; readonly by: string }
);

export type PageAnswer = {
  readonly ok: boolean;
  /** A sentence for the person, as the real client would show it. */
  readonly error?: string;
  /** Answer to `suggest`. */
  readonly options?: readonly Json[];
  readonly optionGroups?: readonly Json[];
};
