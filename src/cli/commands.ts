import { type Command, Option } from 'commander';
import type { Variables } from '../config/environment-reader.ts';
import type { Clock, Logger } from '../core/ports/ports.ts';
import { visible } from '../core/text/text.ts';
import type { ExportOptions } from './audit.ts';
import type { InitFlags } from './init/answering.ts';
import type { ExitCode, Output } from './output.ts';
import type { ExplainFlags } from './policy-explain.ts';

export type CommandTools = {
  readonly env: Variables;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly output: Output;
  readonly exit: (code: ExitCode) => void;
  /** The folder of the recipes. */
  readonly recipes: string;
};

/** What an operator types beside the running bot. Every action ends with an exit code. */
export function addOperatorCommands(program: Command, tools: CommandTools): void {
  const { exit } = tools;
  // What names of others hold must not steer the terminal; an export stays what it is.
  const output = { print: (line: string) => tools.output.print(visible(line)) };
  const shown = { ...tools, output };
  program
    .command('doctor')
    .description('check environment, settings, database, Slack and the control API')
    .action(async () => exit(await (await import('./doctor.ts')).runDoctor(shown)));

  const audit = program.command('audit').description('the journal of who did what');
  audit
    .command('verify')
    .description('prove that no row of the journal was changed, removed or added')
    .action(async () => exit(await (await import('./audit.ts')).verifyAudit(shown)));
  audit
    .command('export')
    .description('print every row of the journal, oldest first')
    .addOption(
      new Option('--format <format>', 'one row a line').choices(['jsonl', 'csv']).default('jsonl'),
    )
    .option('--since <day>', 'rows from this UTC day or moment on, as in 2026-11-01')
    .option('--until <day>', 'rows up to this UTC day, included, or moment')
    .action(async (options: ExportOptions) =>
      exit(await (await import('./audit.ts')).exportAudit(options, tools)),
    );
  addPolicyCommands(program, shown, tools.output);
  program
    .command('init')
    .description('ask for tokens, channels and people, and write .env and steward.yaml')
    .option('--recipe <name>', 'which rules to begin with')
    .option('--channel <names...>', 'channels in which it works, by name or id')
    .option('--people <names...>', 'people or user groups who act, by @name or id')
    .option('--approvers <names...>', 'people or user groups who approve')
    .option('--organization <organizations...>', 'NAME=UUID, of several')
    .option('--audit <channel>', 'the channel of the audit trail')
    .option('--service <services...>', 'NAME=UUID or NAME=UUID:TAG')
    .option('--yes', 'write without asking')
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./init/init.ts');
      const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
      exit(await runInit(flags, { ...shown, folder: process.cwd(), isTerminal }));
    });
}

/** A schema stays what it is: it is printed as it stands. */
function addPolicyCommands(
  program: Command,
  { env, exit, output }: CommandTools,
  raw: Output,
): void {
  const policy = program.command('policy').description('the rules of steward.yaml');
  policy
    .command('check')
    .description('print every problem, or who may do what where')
    .option('--file <path>', 'in place of STEWARD_CONFIG')
    .action(async ({ file }: { readonly file?: string | undefined }) =>
      exit((await import('./policy-check.ts')).checkPolicy(file, env, output)),
    );
  policy
    .command('schema')
    .description('print the JSON Schema of steward.yaml, for editors')
    .action(async () => {
      const { stewardFileSchema } = await import('../config/file-schema.ts');
      raw.print(JSON.stringify(stewardFileSchema(), null, 2));
      exit(0);
    });
  policy
    .command('explain')
    .description('say which rule decides, without asking Slack')
    .requiredOption('--user <id>', 'a Slack user id')
    .requiredOption('--channel <channel>', 'its name in the file, or its id')
    .requiredOption('--action <action>', 'a permission or a command: service.stop, stop')
    .option('--service <service>', 'its name or id')
    .option('--usergroup <ids...>', 'Slack user groups that the user is in')
    .option('--file <path>', 'in place of STEWARD_CONFIG')
    .action(async (flags: ExplainFlags) =>
      exit((await import('./policy-explain.ts')).explainPolicy(flags, env, output)),
    );
  policy
    .command('test')
    .description('hold the rules against what you expect of them, without asking Slack')
    .argument('[files...]', 'steward.test.yaml beside the rules, when none is given')
    .option('--file <path>', 'the rules, in place of STEWARD_CONFIG')
    .action(async (files: readonly string[], { file }: { readonly file?: string | undefined }) =>
      exit((await import('./policy-test.ts')).testPolicy(files, file, env, output)),
    );
}
