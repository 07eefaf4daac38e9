/** `npm run bench`: see docs/performance.md. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { DateTime } from 'luxon';
import { type Bots, createBots } from './bots.ts';
import { measureCommands } from './commands.ts';
import { measureCosts } from './costs.ts';
import { isShort, type Line, tableOf } from './figures.ts';
import { measureJournal } from './journal.ts';
import { measurePolicy } from './policy.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Flags = {
  readonly only?: string | undefined;
  readonly quick?: boolean | undefined;
  readonly profile?: string | undefined;
};

type Part = (flags: Flags) => Promise<readonly Line[]>;

const PARTS: Readonly<Record<string, Part>> = {
  commands: (flags) => {
    const load = flags.quick ? { commands: 1_000, rounds: 1 } : { commands: 2_000, rounds: 3 };
    return withBots(flags, (bots) => measureCommands(bots, { ...load, atOnce: 50 }));
  },
  journal: (flags) =>
    withBots(flags, (bots) => measureJournal(bots, flags.quick ? 50_000 : 1_000_000)),
  costs: ({ quick, profile }) => measureCosts(quick ? 200 : 2_000, profile),
  policy: async ({ quick }) => measurePolicy(quick ? 200 : 1_000),
};

async function withBots(
  { profile }: Flags,
  measure: (bots: Bots) => Promise<readonly Line[]>,
): Promise<readonly Line[]> {
  const bots = await createBots(profile);
  try {
    return await measure(bots);
  } finally {
    await bots.close();
  }
}

const program = new Command('bench')
  .description('Measures Steward on this machine, beside a bare Bolt app.')
  .option('--only <parts>', `some of ${Object.keys(PARTS).join(',')}`)
  .option('--quick', 'smaller numbers: to see that it works')
  .option('--profile <folder>', 'write CPU profiles of Steward there');
program.parse();
await main(program.opts<Flags>());

async function main(flags: Flags): Promise<void> {
  const names = flags.only?.split(',') ?? Object.keys(PARTS);
  // What is measured is what operators start.
  execFileSync('npm', ['run', '--silent', 'build', '--', '--if-stale'], { cwd: ROOT });
  const lines: Line[] = [];
  for (const name of names) {
    const part = PARTS[name];
    if (part === undefined) return program.error(`There is no part "${name}".`);
    process.stderr.write(`${name} …\n`);
    lines.push(...(await part(flags)));
    // What was measured stays, whatever becomes of the rest.
    keep(lines, flags, names);
  }
  process.stdout.write(tableOf(lines));
  const short = lines.filter((line) => !('notRun' in line) && isShort(line)).length;
  process.stdout.write(`${short === 0 ? 'Nothing is short.' : `Short: ${short}.`}\n`);
}

function keep(lines: readonly Line[], { quick }: Flags, parts: readonly string[]): void {
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model };
  const at = DateTime.utc().toISO();
  const results = { at, machine, parts, quick: quick === true, lines: lines.map(marked) };
  mkdirSync(`${ROOT}bench`, { recursive: true });
  writeFileSync(`${ROOT}bench/results.json`, `${JSON.stringify(results, null, 2)}\n`);
}

function marked(line: Line): Line & { readonly short?: boolean } {
  return 'notRun' in line || line.wanted === undefined ? line : { ...line, short: isShort(line) };
}
