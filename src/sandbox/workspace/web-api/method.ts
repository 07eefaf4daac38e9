import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Arguments, ArgumentTable } from './arguments.ts';

/** One call that has passed token, scope and argument checks. */
export type Call = { readonly world: World; readonly args: Arguments; readonly method: string };

/** A row of the method table: who may call it, with what, and what it does. */
export type Method = {
  /** Any one of these lets the bot call it; none means that any token will do. */
  readonly scopes?: readonly string[];
  /** Called with the app's token instead of the bot's. */
  readonly appToken?: boolean;
  readonly args: ArgumentTable;
  /** The answer without `ok: true`. Throws an ApiError. */
  readonly run: (call: Call) => Json;
};

export type MethodTable = Readonly<Record<string, Method>>;
