import type { App } from '@slack/bolt';
import type { CardAction, RequesterCard } from '../../core/card/card.ts';
import type { Operation } from '../../core/operation/operation.ts';
import { cleanedOptions, redactInput } from '../../core/pipeline/redact.ts';
import { threadOf } from '../../core/ports/ports.ts';
import { readSlash } from '../../core/slash/slash.ts';
import { bold, code, listText, type Piece, say } from '../../core/text/text.ts';
import type { SlackDeps } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { answerOnce } from './intake/acknowledge.ts';
import { receive } from './intake/intake.ts';
import { deliveryOf, readCommand } from './intake/payloads.ts';
import { closeReceived, NO_OPERATION } from './intake/refused.ts';
import { perform } from './perform.ts';

/** Slash commands: recorded, acknowledged and run once, whatever Slack delivers twice. Design: §10. */
export function registerCommands(app: App, replies: Replies): void {
  app.command(/.*/u, async ({ ack, command }) => {
    const read = readCommand(command);
    const reply = replies.to({
      actor: { userId: read.user_id, teamId: read.team_id },
      place: { channelId: read.channel_id },
      triggerId: read.trigger_id,
      responseUrl: read.response_url,
    });
    const asked = askedBy(read.text ?? '', 'slash', replies.deps);
    const { actor } = reply;
    const opening = { actor, origin: 'slash', channelId: read.channel_id } as const;
    await receive(
      {
        ...{ kind: 'slash_command', body: command, answer: answerOnce(ack), reply, whole: true },
        opening: { ...openingOf(asked, replies.deps), ...opening },
        delivery: `trigger:${deliveryOf(read)}`,
      },
      (taken) => handleCommand(asked, taken),
    );
  });
}

type Reading = ReturnType<typeof readSlash>;

/** A line that somebody typed, and by which road it came. */
export type CommandText = {
  readonly text: string;
  readonly reading: Reading;
  readonly origin: 'slash' | 'mention';
};

export function askedBy(
  text: string,
  origin: CommandText['origin'],
  { registry }: SlackDeps,
): CommandText {
  return { text, reading: readSlash(text, registry.operations), origin };
}

/** What the line asks for, redacted. */
export function openingOf({ reading }: CommandText, { registry, redact }: SlackDeps) {
  if (reading.kind === 'unknown') return { operation: NO_OPERATION, input: {} };
  const { operation: id, raw } = requestOf(reading);
  const { reason } = cleanedOptions({ reason: reading.reason }, redact) ?? {};
  return { operation: id, input: redactInput(raw, registry.get(id).fields, redact), reason };
}

/** `--help` asks for the help about it instead. */
function requestOf({ operation, raw, help }: Exclude<Reading, { kind: 'unknown' }>) {
  return help
    ? { operation: 'help.read', raw: { topic: operation.slash.words.join(' ') } }
    : { operation: operation.id, raw };
}

/** Runs what a line asks for, or says what it may have meant. */
export async function handleCommand(asked: CommandText, reply: Reply): Promise<void> {
  const { text, reading, origin } = asked;
  const { ports, holdsSecret } = reply.deps;
  if (reading.kind === 'unknown') {
    await closeReceived(reply, { outcome: 'invalid', detail: 'no such command' });
    if (holdsSecret?.(text) !== true) return await tellUnknown(reading, reply);
    const help = code(`${ports.settings.get().command} help`);
    return await reply.tell(
      say`This looks like a secret, so it was not read. ${help} lists the commands.`,
    );
  }
  const { issues, share, breakGlass, reason, help } = reading;
  const thread = threadOf(reply.place);
  const request = { ...requestOf(reading), origin };
  if (help) return await perform(request, reply);
  const options = { breakGlass, reason, share, thread };
  await perform({ ...request, issues, options }, reply);
}

type Unknown = Extract<Reading, { kind: 'unknown' }>;

/** A near miss is offered, never run; its button shows what it would do. */
async function tellUnknown({ word, suggestion, among }: Unknown, reply: Reply): Promise<void> {
  const { deps, tell } = reply;
  const root = deps.ports.settings.get().command;
  const typed = bold(word.slice(0, 60));
  if (among !== undefined) return await tell(groupCard(among, { typed, root, reply }));
  if (suggestion === undefined) {
    return await tell(
      say`There is no command ${typed}. ${code(`${root} help`)} lists what you may do here.`,
    );
  }
  const meant = readSlash(suggestion.text, deps.registry.operations);
  const { issues, action } =
    meant.kind === 'unknown'
      ? { issues: [], action: [] }
      : { issues: meant.issues, action: [offered(meant, suggestion.words, reply)] };
  await tell({
    audience: 'requester',
    tone: 'plain',
    headline: say`There is no command ${typed}. Did you mean ${code(`${root} ${suggestion.text}`.slice(0, 200))}?`,
    lines: issues.map(({ message }) => [message]),
    actions: action,
  });
}

type Grouped = { readonly typed: Piece; readonly root: string; readonly reply: Reply };

/** One button for each command that begins with what was typed. */
function groupCard(among: readonly Operation[], { typed, root, reply }: Grouped): RequesterCard {
  const names = among.map(({ slash }) => slash.words.join(' '));
  const actions = names.flatMap((words) => {
    const meant = readSlash(words, reply.deps.registry.operations);
    // None of them is the one that was meant.
    return meant.kind === 'unknown' ? [] : [{ ...offered(meant, words, reply), style: undefined }];
  });
  const commands = listText(
    names.map((words) => code(`${root} ${words}`)),
    'or',
  );
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`There is no command ${typed}. Choose ${commands}.`,
    actions,
  };
}

function offered(meant: Exclude<Reading, Unknown>, words: string, reply: Reply): CardAction {
  const { operation, raw: input, issues, breakGlass, reason, share } = meant;
  const asked = { breakGlass, reason, share, thread: threadOf(reply.place) };
  return {
    label: `Use ${words}`.slice(0, 75),
    style: 'primary',
    do: {
      // What it does not understand of the rest is for the form.
      kind: issues.length === 0 ? 'run' : 'open',
      operation: operation.id,
      input,
      options: cleanedOptions(asked, reply.deps.redact),
    },
  };
}
