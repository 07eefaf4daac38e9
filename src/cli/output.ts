/** Where a command line answer goes, and the exit code that it ends with. */
export type Output = { print(line: string): void };

/** 0: as hoped for; 1: a problem was found; 2: what was to be looked at cannot be read. */
export type ExitCode = 0 | 1 | 2;

/** Columns as wide as their widest cell; the last one is not filled up. */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [header, header.map((title) => '-'.repeat(title.length)), ...rows];
  const widths = header.map((_title, column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  );
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** One line of `steward doctor`. */
export type Finding = {
  readonly ok: boolean;
  /** What was looked at, and what was seen. */
  readonly what: string;
  /** What to do about it; a finding that is not ok has one. */
  readonly todo?: string | undefined;
};

export function fine(what: string): Finding {
  return { ok: true, what };
}

export function problem(what: string, todo: string): Finding {
  return { ok: false, what, todo };
}
