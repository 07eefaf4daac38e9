import { type Bot, killAll, type Log, launch, launched } from './bots.ts';
import { type Chance, createChance } from './chance.ts';
import { createGrounds, type Grounds } from './grounds.ts';
import { type Figures, judge, unfinished, type Verdict } from './judge.ts';
import { createPeople } from './people.ts';

export type RunOptions = {
  readonly kind: 'sqlite' | 'postgres';
  readonly ends: 'kill' | 'deploy';
  readonly times: number;
  readonly seed: number;
};

export type RunResult = Verdict & {
  readonly line: Line;
  /** What the processes said: for whoever has to find out. */
  readonly log: readonly string[];
};

type Line = Figures & {
  readonly run: string;
  readonly seed: number;
  readonly ends: number;
  readonly commands: number;
  readonly seconds: number;
};

/** One in ten of the bot's calls is refused. */
const REFUSED = 0.1;
const SETTLES_WITHIN_MS = 60_000;
/** What Slack asked to wait for is waited for. */
const LONG_RETRY_S = 30;

type Run = {
  readonly options: RunOptions;
  readonly chance: Chance;
  readonly grounds: Grounds;
  readonly log: Log;
  readonly faults: string[];
};

/** Ends the bot so many times while people act; then waits until all is told, and judges. */
export async function endure(options: RunOptions): Promise<RunResult> {
  const since = performance.now();
  const chance = createChance(options.seed);
  const grounds = await createGrounds(options.kind);
  const run: Run = {
    options,
    chance,
    grounds,
    log: { lines: [], children: new Set() },
    faults: [],
  };
  const people = createPeople(grounds.workspace, chance, options.times < 10 ? 5 : 4);
  const stopRefusing = refuseSome(run);
  try {
    people.act();
    const bots = await (options.ends === 'kill' ? kills(run) : deploys(run));
    await people.stop();
    await settled(run);
    stopRefusing();
    for (const bot of bots) await stopped(bot, run);
    const { faults, figures } = await judge(grounds);
    const seconds = Math.round((performance.now() - since) / 1_000);
    const { ends, kind, times, seed } = options;
    const line = { run: `${ends} ${kind}`, seed, ends: times, commands: people.commands() };
    return {
      faults: [...run.faults, ...faults],
      figures,
      line: { ...line, ...figures, seconds },
      log: run.log.lines,
    };
  } finally {
    stopRefusing();
    killAll(run.log);
    await grounds.close();
  }
}

/** Of two replicas one dies at a time, or both; sometimes before they are ready. */
async function kills({ options, chance, grounds, log }: Run): Promise<readonly Bot[]> {
  const replicas = options.kind === 'postgres' ? 2 : 1;
  const start = (): Promise<Bot> => launched(grounds.env, log);
  const bots = await Promise.all(Array.from({ length: replicas }, start));
  for (let killed = 0; killed < options.times; ) {
    await until(chance.between(2, 70), grounds);
    await pause(chance.between(0, 40));
    const both = chance.next() < 0.2;
    const first = chance.between(0, replicas - 1);
    const victims = both ? bots.map((_, at) => at) : [first];
    await Promise.all(victims.map((at) => bots[at]?.kill()));
    killed += victims.length;
    if (chance.next() < 0.1 && killed < options.times) {
      const early = launch(grounds.env, log);
      await pause(chance.between(200, 1_500));
      await early.kill();
      killed += 1;
    }
    await Promise.all(
      victims.map(async (at) => {
        bots[at] = await start();
      }),
    );
  }
  return bots;
}

const LONGEST_MS = 6_000;

/** So many things have happened in the workspace: a measure that a busy machine does not stretch. */
async function until(changes: number, { workspace }: Grounds): Promise<void> {
  let stop = (): void => undefined;
  let seen = 0;
  const happened = new Promise<void>((resolve) => {
    stop = workspace.onChange(() => {
      seen += 1;
      if (seen >= changes) resolve();
    });
  });
  await Promise.race([happened, pause(LONGEST_MS)]);
  stop();
}

async function deploys(run: Run): Promise<readonly Bot[]> {
  const { options, chance, grounds, log } = run;
  let bot = await launched(grounds.env, log);
  for (let deployed = 0; deployed < options.times; deployed += 1) {
    await until(chance.between(10, 70), grounds);
    const method = chance.pick(['chat.postMessage', 'chat.update']);
    grounds.workspace.faults.failNext(method, { status: 429, retryAfter: LONG_RETRY_S });
    await pause(chance.between(0, 300));
    await stopped(bot, run);
    bot = await launched(grounds.env, log);
  }
  return [bot];
}

async function stopped(bot: Bot, { faults }: Run): Promise<void> {
  const { code, inMs } = await bot.terminate();
  if (code !== 0) faults.push(`SIGTERM ended with ${code}`);
  if (inMs > 25_000) faults.push(`SIGTERM took ${Math.round(inMs)} ms`);
}

/** After each call it is drawn whether the next one fails, whichever it is. */
function refuseSome({ grounds, chance }: Run): () => void {
  const { workspace } = grounds;
  let seen: unknown;
  return workspace.onChange(() => {
    const last = workspace.traffic().at(-1);
    if (last === undefined || last === seen) return;
    seen = last;
    if (!isCall(last) || chance.next() >= REFUSED) return;
    workspace.faults.failNext(
      '*',
      chance.pick(['internal_error', { status: 500 }, { status: 429, retryAfter: 1 }]),
    );
  });
}

function isCall({ direction, what }: { readonly direction: string; readonly what: string }) {
  return direction === 'from-bot' && what.includes('.');
}

async function settled({ grounds, options }: Run): Promise<void> {
  const patience = SETTLES_WITHIN_MS + (options.ends === 'deploy' ? LONG_RETRY_S * 1_000 : 0);
  const until = performance.now() + patience;
  let quiet = 0;
  while (performance.now() < until && quiet < 3) {
    quiet = (await unfinished(grounds)) === 0 ? quiet + 1 : 0;
    await pause(700);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
