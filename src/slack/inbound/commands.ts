import type { App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { readSlash } from '../../core/slash/slash.ts';
import { bold, code, say } from '../../core/text/text.ts';
import { tellRequester, tellText } from '../outbound/deliver.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';
import { deliveryOf, isFirstDelivery } from './first-delivery.ts';
import { type Command, readCommand, respondWith } from './payloads.ts';
import { perform } from './perform.ts';

/** Slash commands: acknowledged at once, run once, whatever Slack delivers twice. Design: §10. */
export function registerCommands(app: App, deps: SlackDeps): void {
  app.command(/.*/u, async ({ ack, command, respond }) => {
    const read = readCommand(command);
    await ack();
    await deps.track(handleCommand(read, respondWith(asRespond(respond)), deps));
  });
}

function asRespond(respond: SlackCommandMiddlewareArgs['respond']) {
  // Bolt's type lists message keys one by one; ours are among them.
  return respond as unknown as (message: Record<string, unknown>) => Promise<unknown>;
}

async function handleCommand(
  command: Command,
  respond: NonNullable<ReplyTo['respond']>,
  deps: SlackDeps,
): Promise<void> {
  const delivery = deliveryOf(command);
  if (!(await isFirstDelivery({ delivery }, deps))) return;
  const to: ReplyTo = {
    actor: { userId: command.user_id, teamId: command.team_id },
    place: { channelId: command.channel_id },
    delivery,
    triggerId: command.trigger_id,
    respond,
  };
  const reading = readSlash(command.text ?? '', deps.registry.operations);
  if (reading.kind === 'unknown' && deps.pipeline.holdsSecret?.(command.text ?? '') === true) {
    return await tellText(
      say`This looks like a secret, so it was not read. ${code(`${deps.settings.get().command} help`)} lists the commands.`,
      to,
      deps,
    );
  }
  if (reading.kind === 'unknown') return await tellUnknown(reading, to, deps);
  const { operation, raw, issues, share, breakGlass, help } = reading;
  if (help) {
    const topic = operation.slash.words.join(' ');
    const request = { operation: 'help.read', raw: { topic }, origin: 'slash' as const };
    return await perform({ ...request, actor: to.actor, place: to.place }, to, deps);
  }
  await perform(
    {
      operation: operation.id,
      raw,
      issues,
      actor: to.actor,
      place: to.place,
      origin: 'slash',
      options: { breakGlass, share },
    },
    to,
    deps,
  );
}

type Unknown = Extract<ReturnType<typeof readSlash>, { kind: 'unknown' }>;

/** A near miss is offered, never run; its button shows what it would do. */
async function tellUnknown(reading: Unknown, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const root = deps.settings.get().command;
  const { word, suggestion } = reading;
  if (suggestion === undefined) {
    return await tellText(
      say`There is no command ${bold(word.slice(0, 60))}. ${code(`${root} help`)} lists what you may do here.`,
      to,
      deps,
    );
  }
  const meant = readSlash(suggestion.text, deps.registry.operations);
  await tellRequester(
    {
      audience: 'requester',
      tone: 'plain',
      headline: say`There is no command ${bold(word.slice(0, 60))}. Did you mean ${code(`${root} ${suggestion.text}`.slice(0, 200))}?`,
      lines: meant.kind === 'unknown' ? [] : meant.issues.map(({ message }) => [message]),
      actions:
        meant.kind === 'unknown'
          ? []
          : [
              {
                label: `Use ${suggestion.words}`.slice(0, 75),
                style: 'primary',
                do: {
                  // What it does not understand of the rest is for the form.
                  kind: meant.issues.length === 0 ? 'run' : 'open',
                  operation: meant.operation.id,
                  input: meant.raw,
                  options: { breakGlass: meant.breakGlass, share: meant.share },
                },
              },
            ],
    },
    to,
    deps,
  );
}
