import { addMessage } from '../../payloads/post-message.ts';
import { isObject, objectsOf, textOf } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { fileUrl, mimetypeOf } from '../../state/stored-files.ts';
import type { World } from '../../state/world.ts';
import type { StoredFile } from '../../state/world-types.ts';
import { writableChannel } from '../access.ts';
import { ApiError, invalidArguments } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { readThread } from './content.ts';

/** Upload in three steps. Facts: Messages. */
export const fileMethods: MethodTable = {
  'files.getUploadURLExternal': {
    scopes: ['files:write'],
    args: { filename: 'text!', length: 'integer!', alt_txt: 'text', snippet_type: 'text' },
    run: getUploadUrl,
  },
  'files.completeUploadExternal': {
    scopes: ['files:write'],
    args: {
      files: 'json!',
      channel_id: 'text',
      channels: 'list',
      initial_comment: 'text',
      thread_ts: 'text',
      blocks: 'json',
    },
    run: complete,
  },
  'files.info': {
    scopes: ['files:read'],
    args: { file: 'text!', cursor: 'text', limit: 'integer' },
    run: info,
  },
};

function getUploadUrl({ world, args }: Call): Json {
  const length = args.integer('length') ?? 0;
  if (length <= 0) throw invalidArguments('must be greater than 0 [json-pointer:/length]');
  const id = world.ids.next('F');
  const ticket = world.ids.next('upload-');
  const name = args.need('filename');
  world.files.set(id, {
    id,
    ticket,
    name,
    length,
    title: name,
    bytes: null,
    complete: false,
    channels: [],
    readyAt: 0,
  });
  return { file_id: id, upload_url: `${world.baseUrl}/upload/${ticket}` };
}

function complete(call: Call): Json {
  const { world, args } = call;
  const listed = args.json('files');
  if (!Array.isArray(listed) || !listed.every(isObject) || listed.length === 0) {
    throw invalidArguments('must provide a list of files [json-pointer:/files]');
  }
  const files = objectsOf(listed).map((entry) => uploaded(world, entry));
  const single = args.text('channel_id');
  const channels = single === undefined ? args.list('channels') : [single];
  const places = channels.map((id) => writableChannel(world, id));
  for (const { file, title } of files) {
    file.title = title;
    file.complete = true;
    file.readyAt = world.now() + world.faults.fileNotReadyFor;
    file.channels = places.map((channel) => channel.id);
  }
  for (const channel of places) {
    addMessage(world, {
      channel: channel.id,
      userId: world.settings.botUserId,
      text: args.text('initial_comment') ?? '',
      threadTs: readThread(call, channel),
      files: files.map(({ file }) => file.id),
    });
  }
  return { files: files.map(({ file }) => filePayload(world, file)) };
}

function uploaded(world: World, entry: Json): { file: StoredFile; title: string } {
  const file = world.files.get(textOf(entry['id']) ?? '');
  if (file === undefined || file.complete) throw new ApiError('file_not_found');
  // Nothing arrived, or not as many bytes as announced.
  if (file.bytes === null) throw new ApiError('file_update_failed');
  return { file, title: textOf(entry['title']) ?? file.name };
}

function info({ world, args }: Call): Json {
  const file = world.files.get(args.need('file'));
  if (file === undefined || !file.complete) throw new ApiError('file_not_found');
  return { file: filePayload(world, file), comments: [], response_metadata: { next_cursor: '' } };
}

/** While a file is being processed it has no `mimetype`. */
function filePayload(world: World, file: StoredFile): Json {
  const ready = file.readyAt <= world.now();
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    size: file.length,
    user: world.settings.botUserId,
    channels: file.channels,
    url_private: fileUrl(world, file.id),
    permalink: fileUrl(world, file.id),
    mimetype: ready ? mimetypeOf(file.name) : '',
  };
}
