/** One thing to put right before the start. Never holds a value that came from a variable. */
export type Problem = {
  /** A variable's name, or a path into `steward.yaml`: `channels.ops.allow[1].who[0]`. */
  readonly path: string;
  readonly message: string;
  /** Line in `steward.yaml`, counted from 1. */
  readonly line?: number | undefined;
};

/** What was read, and what is wrong with it; `value` is absent when anything is wrong. */
export type Checked<T> = { readonly value?: T | undefined; readonly problems: readonly Problem[] };

/** Thrown with every problem at once, so that one look at them is enough. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super([`The configuration has ${count}:`, ...problems.map(problemLine)].join('\n'));
    this.problems = problems;
  }
}

/** `channels.ops.id (line 12): must be …` */
export function problemLine(problem: Problem): string {
  const where = problem.line === undefined ? '' : ` (line ${problem.line})`;
  return `  ${problem.path}${where}: ${problem.message}`;
}
