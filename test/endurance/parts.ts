import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBot, removeBot } from './build.ts';
import { endure, type RunOptions, type RunResult } from './run.ts';

type Line = RunResult['line'];

/** A part ends with everything judged, on a database and a workspace of its own. */
const PART = 20;

/** Prints its table after each part; the log of the processes stands in a file where something is at fault. */
export async function runInParts(
  options: RunOptions,
): Promise<{ readonly faults: readonly string[]; readonly lines: readonly Line[] }> {
  await buildBot();
  try {
    return await parts(options);
  } finally {
    await removeBot();
  }
}

async function parts(options: RunOptions): ReturnType<typeof runInParts> {
  const faults: string[] = [];
  const lines: Line[] = [];
  for (let done = 0; done < options.times; done += PART) {
    const seed = options.seed + done;
    const part = { ...options, seed, times: Math.min(PART, options.times - done) };
    const result = await endure(part);
    lines.push(result.line);
    faults.push(...result.faults.map((fault) => `seed ${seed}: ${fault}`));
    if (result.faults.length > 0) keep(result, part);
    process.stderr.write(`${tableOf(lines)}\n${faults.map((fault) => `${fault}\n`).join('')}`);
  }
  return { faults, lines };
}

function keep({ log, faults }: RunResult, { kind, ends, seed }: RunOptions): void {
  const file = join(tmpdir(), `steward-endurance-${ends}-${kind}-${seed}.log`);
  writeFileSync(file, [...faults, ...log].join('\n'));
  process.stderr.write(`What the processes said: ${file}\n`);
}

const SUMMED = [
  'ends',
  'commands',
  'acknowledged',
  'started',
  'effects',
  'toldOnce',
  'toldTwice',
  'toldMore',
  'unknown',
  'notRun',
  'seconds',
] as const;

export function tableOf(lines: readonly Line[]): string {
  const head = ['run', 'seed', ...SUMMED];
  const rows = lines.map((line) => [line.run, line.seed, ...SUMMED.map((key) => line[key])]);
  const sums = SUMMED.map((key) => lines.reduce((sum, line) => sum + line[key], 0));
  const all = [head, ...rows, ['all', '', ...sums]].map((row) => row.map(String));
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all
    .map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '))
    .join('\n');
}
