#!/usr/bin/env node
/** The command line. Everything it prints for people goes through here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { stringify } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { knownActions, type Steward, startSteward } from './app/app.ts';
import { createMovableClock, type MovableClock, systemClock } from './app/clock.ts';
import { createLogger } from './app/log.ts';
import { addOperatorCommands } from './cli/commands.ts';
import { type ManifestFlags, manifestFor } from './cli/manifest.ts';
import { processVariables } from './config/environment.ts';
import { loadConfiguration } from './config/load.ts';
import { ConfigurationError, problemCount, problemLine } from './config/problems.ts';
import { AppError } from './core/cloud/errors.ts';
import { plain, visible } from './core/text/text.ts';
import { operations } from './operations/index.ts';
import { createManifest } from './slack/manifest.ts';

/**
 * 2: the configuration is at fault and nothing was started; 3: Slack takes the bot token no more;
 * 1: something else went wrong.
 */
const EXIT_CONFIGURATION = 2;
const EXIT_FAULT = 1;
const EXIT_REVOKED = 3;
/** A file that is no YAML at all has a problem in every line. */
const PROBLEMS_TOLD = 100;

const program = new Command('steward')
  .description('A Slack bot with which a team operates its managed analytical database cloud')
  .version(packageJson.version, '--version', 'print the version')
  .showHelpAfterError('`steward --help` lists all that there is.');

program
  .command('start')
  .description('run the bot in the foreground; SIGTERM lets running work finish')
  .action(start);

program
  .command('manifest')
  .description('print the Slack app manifest')
  .option('--json', 'as JSON, for the Slack CLI')
  .option('--command <command>', 'the slash command', '/db')
  .option('--url <url>', 'HTTP mode: the public https address of the bot')
  .option('--mentions', 'also take @Steward stop scratch in messages and threads')
  .action(printManifest);

program
  .command('playground')
  .description('try the real bot on a local page: no Slack account, no cloud key')
  .option('--port <port>', 'of the page', '4000')
  .option('--names <mode>', 'how the control API speaks: neutral or clickhouse', 'neutral')
  .option('--no-open', 'do not open the page in a browser')
  .option('--verbose', "print the bot's log lines")
  .action(playground);

addOperatorCommands(program, {
  env: processVariables(),
  clock: systemClock,
  // What these commands find they print; log lines would stand among the rows of an export.
  logger: createLogger('silent', (text) => text),
  output: { print: (line) => console.log(line) },
  recipes: fileURLToPath(new URL('../recipes', import.meta.url)),
  exit: (code) => {
    process.exitCode = code;
  },
});

async function start(): Promise<void> {
  // Garbage is collected at a third more than what lives, not at several times of it: the work is the
  // same within what can be measured, and a busy bot takes a fifth less memory.
  setFlagsFromString('--heap-growing-percent=30');
  // From the first moment on: in a container, where it is process 1, an unheard signal does nothing.
  const stopped = signalled();
  const configuration = loadConfiguration({ knownActions });
  // They become lines of the log, which is one JSON object in each line.
  process.removeAllListeners('warning');
  // Only the playground starts the bot with a channel to it.
  const movable = process.send === undefined ? undefined : createMovableClock();
  const starting = startSteward({ configuration, clock: movable ?? systemClock });
  const steward = await Promise.race([starting, stopped]);
  if (steward === undefined) process.exit(0);
  if (movable !== undefined) followPlayground(movable, steward);
  const end = await Promise.race([stopped.then(() => 0), steward.revoked.then(() => EXIT_REVOKED)]);
  // npm hands on what the terminal has sent already: the second only says what is waited for.
  void signalled().then(async () => {
    console.error(`Steward is stopping: ${steward.running()} commands and messages are not done.`);
    await signalled();
    process.exit(EXIT_FAULT);
  });
  await steward.stop();
  process.exit(end);
}

/** Its clock is moved in small steps, each with what is due by then, so that a night can be seen. */
function followPlayground(clock: MovableClock, steward: Steward): void {
  process.on('message', (message) => {
    const { moveMs }: { readonly moveMs?: unknown } = Object(message);
    if (typeof moveMs !== 'number') return;
    clock.move(moveMs);
    void steward
      .housekeep()
      .then(() => steward.sleep())
      .finally(() => process.send?.({ moved: true }));
  });
}

async function signalled(): Promise<void> {
  await Promise.race(['SIGTERM', 'SIGINT'].map((name) => once(process, name)));
}

type PlaygroundFlags = {
  readonly port: string;
  readonly names: string;
  readonly open: boolean;
  readonly verbose?: boolean | undefined;
};

async function playground(flags: PlaygroundFlags): Promise<void> {
  const port = Number(flags.port);
  if (!/^\d{1,5}$/u.test(flags.port) || port > 65_535) {
    program.error(`--port takes 0 to 65535, not "${flags.port}".`);
  }
  const { names } = flags;
  if (names !== 'neutral' && names !== 'clickhouse') {
    return program.error(`--names takes neutral or clickhouse, not "${names}".`);
  }
  const here = fileURLToPath(import.meta.url);
  const stopped = signalled();
  const { startPlayground } = await import('./sandbox/playground.ts');
  const running = await startPlayground({
    port,
    names,
    manifest: createManifest({ command: '/db', operations, mode: 'socket', mentions: true }),
    pageDir: fileURLToPath(new URL('./page', import.meta.url)),
    bot: { command: process.execPath, args: [...process.execArgv, here, 'start'] },
    env: processVariables(),
    onLog: (line) => {
      if (flags.verbose === true) console.log(line);
    },
  });
  console.log(`The playground is at ${running.url}
Everything there is simulated on this computer; the bot is the real one.
The stand-in of the control API is at ${running.controlUrl} (faults and clock: its /sandbox paths).
Stop it with Ctrl+C.`);
  if (flags.open) openInBrowser(running.url);
  await Promise.race([stopped, running.ended]);
  await running.stop();
  process.exit(0);
}

/** Where there is no browser to open, the printed address is enough. */
function openInBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

function printManifest(flags: ManifestFlags): void {
  const made = manifestFor(flags);
  if ('manifest' in made) {
    const { manifest } = made;
    const json = JSON.stringify(manifest, null, 2);
    console.log(flags.json === true ? json : stringify(manifest).trimEnd());
  } else {
    console.error(made.problem);
    process.exitCode = EXIT_CONFIGURATION;
  }
}

function fail(thrown: unknown): never {
  if (thrown instanceof ConfigurationError) {
    console.error(
      `Steward did not start: ${problemCount(thrown.problems.length)} in its configuration.`,
    );
    const told = thrown.problems.slice(0, PROBLEMS_TOLD);
    for (const problem of told) console.error(`  ${visible(problemLine(problem))}`);
    const left = thrown.problems.length - told.length;
    if (left > 0) console.error(`  … and ${left} more`);
    process.exit(EXIT_CONFIGURATION);
  }
  console.error('Steward stopped:', faultOf(thrown));
  process.exit(EXIT_FAULT);
}

/** One sentence for what an operator can mend; a bug of ours with all that is known of it. */
function faultOf(thrown: unknown): unknown {
  if (thrown instanceof AppError) return visible(plain(thrown.userMessage));
  const { code, port }: { readonly code?: string; readonly port?: number } = Object(thrown);
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use by another program. Choose another one (PORT, HEALTH_PORT, or --port of the playground; 0 takes any that is free).`;
    case 'EACCES':
      return port === undefined
        ? thrown
        : `port ${port} may not be opened by this user. Choose one above 1023 (PORT, HEALTH_PORT, or --port).`;
    default:
      return thrown;
  }
}

process.on('unhandledRejection', fail);
process.on('uncaughtException', fail);

program.parseAsync().catch(fail);
