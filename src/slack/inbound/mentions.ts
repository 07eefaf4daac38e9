import type { App } from '@slack/bolt';
import { z } from 'zod';
import { code, say, type Text } from '../../core/text/text.ts';
import { placeOf, type SlackDeps } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { askedBy, type CommandText, handleCommand, openingOf } from './commands.ts';
import { heldAnswer } from './intake/acknowledge.ts';
import { receive } from './intake/intake.ts';
import { eventShape, MAX_COMMAND, readPayload, slackId } from './intake/payloads.ts';
import { closeReceived, NO_OPERATION } from './intake/refused.ts';

const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/u);

const mention = eventShape.extend({
  event: z.looseObject({
    user: slackId.optional(),
    text: z
      .string()
      .max(4 * MAX_COMMAND)
      .default(''),
    ts,
    thread_ts: ts.optional(),
    channel: slackId,
    // Of a channel that workspaces share, the author's; else only `team`.
    user_team: slackId.nullish(),
    source_team: slackId.nullish(),
    team: slackId.nullish(),
    bot_id: z.unknown().optional(),
    subtype: z.unknown().optional(),
    edited: z.looseObject({ ts }).optional(),
  }),
});

type Mention = z.output<typeof mention>;

/** An event that Slack kept for so long is about a moment that has passed: nobody waits for it. */
const LATE_MS = 5 * 60_000;

/**
 * `@Steward stop scratch`, also in threads, where Slack takes no slash command: the same line, on the
 * same way, answered where it was written. A message runs once, by its place and time, whatever
 * Slack delivers again; an edited one never. Needs the manifest's `--mentions`. Design: §10.
 */
export function registerMentions(app: App, replies: Replies): void {
  app.event('app_mention', async ({ body, context }) => {
    const answer = heldAnswer(body);
    const payload = readPayload(mention, body);
    const { event } = payload;
    const userId = event.user;
    if (userId === undefined || isByApp(event)) return await answer.give();
    const reply = replies.to({
      actor: actorOf(userId, payload),
      place: placeOf(event.channel, event.thread_ts),
    });
    const said = readMention(payload, context.botUserId ?? '', replies.deps);
    const asks = 'reading' in said ? openingOf(said, replies.deps) : NOTHING;
    const { actor } = reply;
    await receive(
      {
        ...{ kind: 'event_callback', body, answer, reply, whole: true },
        opening: { ...asks, actor, origin: 'mention', channelId: event.channel },
        delivery: `mention:${event.channel}:${event.ts}:${event.edited?.ts ?? ''}`,
      },
      (taken) => ('reading' in said ? handleCommand(said, taken) : tellUnread(said, taken)),
    );
  });
}

/** What people write, with a file or shown in the channel as well; all else is of apps or of Slack. */
const BY_PEOPLE = new Set<unknown>([
  undefined,
  null,
  'file_share',
  'thread_broadcast',
  'me_message',
]);

/** What apps write asks for nothing: two of them would talk without end. */
function isByApp({ bot_id, subtype }: Mention['event']): boolean {
  return (bot_id ?? undefined) !== undefined || !BY_PEOPLE.has(subtype);
}

const NOTHING = { operation: NO_OPERATION, input: {} } as const;

/** As with a press: the author's own workspace, and the one through which it came. */
function actorOf(userId: string, { team_id, event }: Mention): Reply['actor'] {
  const teamId = event.user_team ?? event.source_team ?? event.team ?? team_id;
  return teamId === team_id ? { userId, teamId } : { userId, teamId, via: team_id };
}

type Unread = { readonly detail: string; readonly words: Text };

/** As Slack writes it; one that was typed letter by letter is escaped. */
const NAME = /^[\s\p{Cf}]*<@([A-Z0-9]+)(?:\|[^<>]*)?>/u;

/** Only a message that begins with the name is meant: what quotes it or speaks of it is not. */
function readMention({ event }: Mention, bot: string, deps: SlackDeps): CommandText | Unread {
  const { command } = deps.ports.settings.get();
  if (event.edited !== undefined) {
    return {
      detail: 'an edited message',
      words: say`Nothing was done: an edited message is not read. Send it as a new one.`,
    };
  }
  const lateMs = deps.clock.now().toMillis() - Number(event.ts) * 1_000;
  if (lateMs > LATE_MS) {
    return {
      detail: 'a message that came too late',
      words: say`Nothing was done: your message reached Steward ${Math.round(lateMs / 60_000)} minutes late. Send it again if it is still wanted.`,
    };
  }
  const [named = '', id] = NAME.exec(event.text) ?? [];
  if (id !== bot) {
    return {
      detail: 'a message that does not begin with the name',
      words: say`Nothing was done. To ask for something, begin the message with my name, as in ${code('@Steward help')}.`,
    };
  }
  return askedBy(withoutRoot(event.text.slice(named.length), command), 'mention', deps);
}

/** `@Steward: stop scratch` and `@Steward /db stop scratch` mean the same. */
function withoutRoot(text: string, command: string): string {
  const line = text.replace(/^\s*[:,]?\s*/u, '');
  const rest = line.slice(command.length);
  return line.startsWith(command) && /^(?:\s|$)/u.test(rest) ? rest.trimStart() : line;
}

async function tellUnread({ detail, words }: Unread, reply: Reply): Promise<void> {
  await closeReceived(reply, { outcome: 'invalid', detail });
  await reply.tell(words);
}
