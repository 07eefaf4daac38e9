import { setTimeout as wait } from 'node:timers/promises';
import { freshPostgres } from '../support/fresh-postgres.ts';
import { type BenchDatabase, type Bot, type Bots, freshSqlite, postgresServer } from './bots.ts';
import { type Line, median, quantile, type Wanted } from './figures.ts';
import type { LeanSlack, Timing } from './lean-slack.ts';

export type Load = {
  readonly commands: number;
  readonly atOnce: number;
  /** Each with processes of its own; the median counts. */
  readonly rounds: number;
};

type Kind = 'echo' | 'read' | 'stop';

/** What is typed, and what is in every right answer. */
const TYPED: Readonly<Record<Kind, readonly [command: string, answer: string]>> = {
  echo: ['stop scratch', 'You typed: stop scratch'],
  // A decision and its rule, from what Steward knows: the control API is not called.
  read: ['can stop scratch', 'You may use'],
  // As far as the question, whose press would go on.
  stop: ['stop scratch', 'Stop *scratch*?'],
};

const SETTLE_MS = 1_500;

type Measured = {
  readonly startMs: number;
  readonly ackP50: number;
  readonly ackP99: number;
  readonly perSecond: number;
  /** ms for each command. */
  readonly processor: number;
  readonly restMb: number;
  readonly afterMb: number;
};

export async function measureCommands(bots: Bots, load: Load): Promise<readonly Line[]> {
  const bare: Measured[] = [];
  const runs = new Map<string, Measured[]>();
  // In turns, so that what else the machine does meets all of them alike.
  for (let round = 0; round < load.rounds; round += 1) {
    bare.push(await measure(() => bots.echo(), 'echo', load));
    for (const setup of setups()) {
      for (const kind of ['read', 'stop'] as const) {
        const measured = await measureSteward(bots, setup, { kind, load });
        const name = `${kind}, ${setup.name}`;
        runs.set(name, [...(runs.get(name) ?? []), measured]);
      }
    }
  }
  const base = medianOf(bare);
  const missing: readonly Line[] =
    postgresServer() === undefined
      ? [{ part: 'read and stop, Postgres', notRun: 'no Postgres (TEST_POSTGRES_URL)' }]
      : [];
  return [
    ...linesOf('bare', base),
    ...[...runs].flatMap(([name, measured]) => linesOf(name, medianOf(measured), base)),
    ...missing,
  ];
}

type Setup = {
  readonly name: string;
  readonly replicas: number;
  readonly database: () => Promise<BenchDatabase>;
};

function setups(): readonly Setup[] {
  const server = postgresServer();
  const sqlite = { name: 'SQLite', replicas: 1, database: freshSqlite };
  if (server === undefined) return [sqlite];
  const database = () => freshPostgres(server, 'steward_bench');
  return [
    sqlite,
    { name: 'Postgres', replicas: 1, database },
    { name: 'Postgres, 2 replicas', replicas: 2, database },
  ];
}

async function measureSteward(
  bots: Bots,
  { database, replicas }: Setup,
  { kind, load }: { readonly kind: Kind; readonly load: Load },
): Promise<Measured> {
  const { url, remove } = await database();
  try {
    // What makes the tables is no start as operators know it.
    await (await bots.steward(url)).stop();
    return await measure(() => bots.steward(url, replicas), kind, load);
  } finally {
    await remove();
  }
}

async function measure(start: () => Promise<Bot>, kind: Kind, load: Load): Promise<Measured> {
  const bot = await start();
  try {
    await wait(SETTLE_MS);
    const restMb = await residentMb(bot);
    const before = await processorMs(bot);
    const since = performance.now();
    const timings = await typeAll(bot.slack, kind, load);
    const tookMs = performance.now() - since;
    const processor = ((await processorMs(bot)) - before) / timings.length;
    await wait(SETTLE_MS);
    const acks = timings.map(({ ackMs }) => ackMs);
    warnOf(bot.slack.unforeseen());
    return {
      startMs: median(bot.replicas.map(({ readyMs }) => readyMs)),
      ackP50: quantile(acks, 0.5),
      ackP99: quantile(acks, 0.99),
      perSecond: (timings.length * 1_000) / tookMs,
      processor,
      restMb,
      afterMb: await residentMb(bot),
    };
  } finally {
    await bot.stop();
  }
}

/** Of the largest replica. */
async function residentMb({ replicas }: Bot): Promise<number> {
  return Math.max(...(await Promise.all(replicas.map((replica) => replica.residentMb()))));
}

/** Of all replicas. */
async function processorMs({ replicas }: Bot): Promise<number> {
  const each = await Promise.all(replicas.map((replica) => replica.processorMs()));
  return each.reduce((sum, one) => sum + one, 0);
}

/** So many at once; each goes on when its answer is there. */
async function typeAll(
  slack: LeanSlack,
  kind: Kind,
  { commands, atOnce }: Load,
): Promise<readonly Timing[]> {
  const timings: Timing[] = [];
  let left = commands;
  const person = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      timings.push(await slack.type(...TYPED[kind]));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, person));
  return timings;
}

function warnOf(unforeseen: readonly string[]): void {
  if (unforeseen.length === 0) return;
  process.stderr.write(`The lean Slack does not know: ${unforeseen.join(', ')}\n`);
}

function medianOf(all: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number => median(all.map((one) => one[key]));
  return {
    startMs: of('startMs'),
    ackP50: of('ackP50'),
    ackP99: of('ackP99'),
    perSecond: of('perSecond'),
    processor: of('processor'),
    restMb: of('restMb'),
    afterMb: of('afterMb'),
  };
}

/** Beside the bare bot where `base` is given. */
function linesOf(part: string, measured: Measured, base?: Measured): readonly Line[] {
  const line = (key: keyof Measured, what: string, unit: string, wanted?: Wanted): Line => ({
    ...{ part, what, unit, value: measured[key] },
    ...(base === undefined ? {} : { ratio: measured[key] / base[key], wanted }),
  });
  const rate = part.startsWith('stop') ? 0.35 : 0.5;
  return [
    line('ackP50', 'acknowledgement, median', 'ms', { atMost: 2 }),
    line('ackP99', 'acknowledgement, 99 of 100', 'ms', { atMost: 2 }),
    line('perSecond', 'whole commands', '/s', { atLeast: rate }),
    line('processor', 'processor for each command', 'ms'),
    line('startMs', 'start to ready', 'ms', { atMost: 1.6 }),
    line('restMb', 'memory at rest', 'MB', { atMost: 1.4 }),
    line('afterMb', 'memory after', 'MB', { atMost: 1.4 }),
  ];
}
