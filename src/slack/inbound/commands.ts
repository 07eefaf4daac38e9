import type { App } from '@slack/bolt';
import type { CardAction } from '../../core/card/card.ts';
import { readSlash } from '../../core/slash/slash.ts';
import { bold, code, say } from '../../core/text/text.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { deliveryOf, isFirstDelivery } from './once.ts';
import { readCommand } from './payloads.ts';
import { perform } from './perform.ts';

/** Slash commands: acknowledged at once, run once, whatever Slack delivers twice. Design: §10. */
export function registerCommands(app: App, replies: Replies): void {
  app.command(/.*/u, async ({ ack, command }) => {
    const read = readCommand(command);
    await ack();
    const reply = replies.to({
      actor: { userId: read.user_id, teamId: read.team_id },
      place: { channelId: read.channel_id },
      delivery: deliveryOf(read),
      triggerId: read.trigger_id,
      responseUrl: read.response_url,
    });
    await replies.deps.track(handleCommand(read.text ?? '', reply));
  });
}

async function handleCommand(text: string, reply: Reply): Promise<void> {
  const { registry, ports, holdsSecret } = reply.deps;
  if (!(await isFirstDelivery(reply, reply.deps))) return;
  const reading = readSlash(text, registry.operations);
  if (reading.kind === 'unknown') {
    if (holdsSecret?.(text) !== true) return await tellUnknown(reading, reply);
    const help = code(`${ports.settings.get().command} help`);
    return await reply.tell(
      say`This looks like a secret, so it was not read. ${help} lists the commands.`,
    );
  }
  const { operation, raw, issues, share, breakGlass, help } = reading;
  const origin = 'slash';
  if (help) {
    const topic = operation.slash.words.join(' ');
    return await perform({ operation: 'help.read', raw: { topic }, origin }, reply);
  }
  const options = { breakGlass, share };
  await perform({ operation: operation.id, raw, issues, origin, options }, reply);
}

type Unknown = Extract<ReturnType<typeof readSlash>, { kind: 'unknown' }>;

/** A near miss is offered, never run; its button shows what it would do. */
async function tellUnknown({ word, suggestion }: Unknown, { deps, tell }: Reply): Promise<void> {
  const root = deps.ports.settings.get().command;
  const typed = bold(word.slice(0, 60));
  if (suggestion === undefined) {
    return await tell(
      say`There is no command ${typed}. ${code(`${root} help`)} lists what you may do here.`,
    );
  }
  const meant = readSlash(suggestion.text, deps.registry.operations);
  const { issues, action } =
    meant.kind === 'unknown'
      ? { issues: [], action: [] }
      : { issues: meant.issues, action: [offered(meant, suggestion.words)] };
  await tell({
    audience: 'requester',
    tone: 'plain',
    headline: say`There is no command ${typed}. Did you mean ${code(`${root} ${suggestion.text}`.slice(0, 200))}?`,
    lines: issues.map(({ message }) => [message]),
    actions: action,
  });
}

function offered(meant: Exclude<ReturnType<typeof readSlash>, Unknown>, words: string): CardAction {
  const { operation, raw: input, issues, breakGlass, share } = meant;
  return {
    label: `Use ${words}`.slice(0, 75),
    style: 'primary',
    do: {
      // What it does not understand of the rest is for the form.
      kind: issues.length === 0 ? 'run' : 'open',
      operation: operation.id,
      input,
      options: { breakGlass, share },
    },
  };
}
