import { isObject, objectsOf, textOf } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import type { Channel, Message } from '../../state/world-types.ts';
import { hasScope } from '../access.ts';
import { ApiError, refusal } from '../api-error.ts';
import type { Call } from '../method.ts';
import { checkMessage } from '../validation.ts';

/** The arguments that say what a message shows and how. */
export const contentArguments = {
  text: 'text',
  markdown_text: 'text',
  blocks: 'json',
  attachments: 'json',
  metadata: 'json',
  mrkdwn: 'flag',
  parse: 'text',
  link_names: 'flag',
  unfurl_links: 'flag',
  unfurl_media: 'flag',
  username: 'text',
  icon_emoji: 'text',
  icon_url: 'text',
} as const;

export type Content = {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly metadata: Json | undefined;
};

/** Reads and checks what a message is to show. Throws the real service's codes. */
export function readContent({ world, args, method }: Call): Content {
  const renamed = ['username', 'icon_emoji', 'icon_url'].some((name) => args.has(name));
  if (renamed && !hasScope(world, 'chat:write.customize')) {
    throw new ApiError('missing_scope', {
      needed: 'chat:write.customize',
      provided: world.manifest.scopes.join(','),
    });
  }
  const body = Object.fromEntries(
    (['text', 'markdown_text', 'blocks', 'attachments'] as const)
      .filter((name) => args.has(name))
      .map((name) => [name, contentArguments[name] === 'json' ? args.json(name) : args.text(name)]),
  );
  const checked = checkMessage(world, method, body);
  if (!checked.ok) throw refusal(checked.error, checked.messages);
  return {
    text: args.text('text') ?? args.text('markdown_text') ?? '',
    blocks: objectsOf(checked.body['blocks']),
    metadata: readMetadata(args.json('metadata')),
  };
}

/** The root of the thread that `thread_ts` names, if it is given. */
export function readThread(call: Call, channel: Channel): string | undefined {
  const ts = call.args.text('thread_ts');
  if (ts === undefined || ts === '') return undefined;
  const root = call.world.messages.find(
    (message: Message) => message.channel === channel.id && message.ts === ts,
  );
  if (root === undefined) throw new ApiError('thread_not_found');
  return root.threadTs ?? root.ts;
}

function readMetadata(value: unknown): Json | undefined {
  if (value === undefined || value === null) return undefined;
  const type = isObject(value) ? textOf(value['event_type']) : undefined;
  if (!isObject(value) || type === undefined || !isObject(value['event_payload'])) {
    throw new ApiError('invalid_metadata_format');
  }
  return value;
}
