/** Steps into `steward.yaml`: keys and positions. */
export type Path = readonly (string | number)[];

/** `channels.ops.allow[1].who[0]`; a key that is no plain word stands in quotes. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]+$/u.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

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
    super(
      [
        `The configuration has ${problemCount(problems.length)}:`,
        ...problems.map(problemLine),
      ].join('\n'),
    );
    this.problems = problems;
  }
}

export function problemCount(count: number): string {
  return count === 1 ? '1 problem' : `${count} problems`;
}

/** `channels.ops.id (line 12): must be …` */
export function problemLine(problem: Problem): string {
  const where = problem.line === undefined ? '' : ` (line ${problem.line})`;
  return `  ${problem.path}${where}: ${problem.message}`;
}
