/** Where blocks are shown; each block type is allowed on some of them only. */
export type Surface = 'message' | 'modal' | 'home';

export type ValidatorOptions = {
  /** Are `data_table` and `data_visualization` switched on in this workspace? */
  readonly nativeData: boolean;
  /** Series or segments of a chart: 6 as documented, 12 as reported. */
  readonly seriesLimit: 6 | 12;
  /** Refuse what is otherwise only a warning about text: no fallback text, texts near their limit. */
  readonly strictText: boolean;
};

/** Native data on, the documented limit of series, advice about text as warnings only. */
export const defaultValidatorOptions: ValidatorOptions = {
  nativeData: true,
  seriesLimit: 6,
  strictText: false,
};

/**
 * The verdict of a validator. Warnings are for the traffic log: Slack accepts such a payload, or accepts
 * it from elsewhere than this machine.
 */
export type ValidationResult =
  | { readonly ok: true; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      /** Slack's error code, as `invalid_blocks`. */
      readonly error: string;
      /** For `response_metadata.messages`; each starts with `[ERROR] `. */
      readonly messages: readonly string[];
      readonly warnings: readonly string[];
    };

/** One thing that Slack would refuse, and where. */
export type Problem = { readonly at: string; readonly text: string };

/** What a check knows of its surroundings, and where it puts what it finds. */
export type Context = {
  readonly surface: Surface;
  readonly options: ValidatorOptions;
  readonly problems: Problem[];
  readonly warnings: string[];
};

/** Options that are not given are the defaults. */
export function createContext(surface: Surface, options: Partial<ValidatorOptions>): Context {
  return {
    surface,
    options: { ...defaultValidatorOptions, ...options },
    problems: [],
    warnings: [],
  };
}

/** Notes a fault; the payload will be refused. */
export function fail(context: Context, at: string, text: string): void {
  context.problems.push({ at, text });
}

/** Notes what Slack takes but a person should know. */
export function warn(context: Context, at: string, text: string): void {
  context.warnings.push(`${text} [json-pointer:${at}]`);
}

/** Code points; the unit that Slack itself counts in is not documented. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** `[ERROR] must be less than 25 characters [json-pointer:/view/title/text]` */
export function asMessage(problem: Problem): string {
  return `[ERROR] ${problem.text} [json-pointer:${problem.at}]`;
}
