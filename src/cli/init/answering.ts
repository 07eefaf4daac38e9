import { readVariable, type Variables } from '../../config/environment-reader.ts';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import type { Network } from '../../network/network.ts';
import type { Output } from '../output.ts';
import type { Asker } from './questions.ts';
import type { SlackLists } from './slack.ts';

export type InitFlags = {
  readonly recipe?: string | undefined;
  readonly channel?: readonly string[] | undefined;
  readonly people?: readonly string[] | undefined;
  readonly approvers?: readonly string[] | undefined;
  /** `acme=UUID`, of the recipe for several. */
  readonly organization?: readonly string[] | undefined;
  readonly audit?: string | undefined;
  /** `analytics=UUID`, `analytics=UUID:prod`. */
  readonly service?: readonly string[] | undefined;
  readonly yes?: boolean | undefined;
};

export type InitTools = {
  readonly env: Variables;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly output: Output;
  /** Where `.env` and `steward.yaml` are, and the recipes. */
  readonly folder: string;
  readonly recipes: string;
  readonly isTerminal: boolean;
};

export type Recipe = {
  readonly file: string;
  readonly label: string;
  /** Its group of those who act, and of those who approve. */
  readonly people?: string;
  readonly approvers?: string;
  readonly services: boolean;
  readonly audit: boolean;
  /** A channel, a group and a key for each. */
  readonly several?: boolean;
};

export type Answering = {
  readonly flags: InitFlags;
  readonly tools: InitTools;
  readonly asker: Asker | undefined;
  readonly env: Variables;
  readonly lists: SlackLists;
  readonly recipe: Recipe;
  /** Of the recipe for several; else empty, as the environment names the one. */
  readonly organizations: readonly Organization[];
  readonly network: Network;
};

export type Organization = { readonly name: string; readonly id: string };

/** Where the key of an organization stands: by its name, or that of the only one. */
export function keyVariables(name?: string): { readonly id: string; readonly secret: string } {
  const prefix = name === undefined ? 'CONTROL_API' : name.toUpperCase().replaceAll('-', '_');
  return { id: `${prefix}_KEY_ID`, secret: `${prefix}_KEY_SECRET` };
}

/** As the environment reader cleans it; '' where it is not set. */
export function variable(env: Variables, name: string): string {
  return readVariable(env, name, 'line').value ?? '';
}
