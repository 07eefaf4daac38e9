import { compact } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Message } from '../state/world-types.ts';

/** A message as payloads and `conversations.history` show it. */
export function messagePayload(world: World, message: Message): Json {
  const { settings } = world;
  const user = world.users.get(message.userId);
  return compact({
    type: 'message',
    user: message.userId,
    bot_id: message.fromBot ? settings.botId : undefined,
    app_id: message.fromBot ? settings.appId : undefined,
    team: user?.teamId ?? settings.team.id,
    ts: message.ts,
    text: message.text,
    blocks: message.blocks.length === 0 ? undefined : message.blocks,
    files: message.files.length === 0 ? undefined : message.files.map((id) => fileOf(world, id)),
    thread_ts: message.threadTs ?? undefined,
    edited: message.edited ? { user: message.userId, ts: message.ts } : undefined,
    metadata: message.metadata ?? undefined,
  });
}

function fileOf(world: World, id: string): Json {
  const { name, title } = world.files.get(id) ?? {};
  return compact({ id, name, title });
}
