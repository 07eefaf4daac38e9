import { objectsOf, textOf, wordsOf } from '../protocol/json.ts';
import type {
  PageChannel,
  PageMessage,
  PageState,
  PageView,
  Persona,
  TrafficEntry,
} from '../protocol/page-protocol.ts';
import { stateOf } from '../state/elements.ts';
import { fileUrl, mimetypeOf } from '../state/stored-files.ts';
import type { TrafficRecord } from '../state/traffic.ts';
import { homeOf, openViews } from '../state/views.ts';
import type { World } from '../state/world.ts';
import type { Channel, Message, User, View } from '../state/world-types.ts';

const shownTraffic = 200;

/** All that this person may see; the page draws it and knows nothing else. */
export function pageState(world: World, user: User): PageState {
  const { settings, manifest } = world;
  const home = homeOf(world, user.id);
  return {
    version: world.changes.version,
    now: settings.clock.now().toISO(),
    workspace: { id: settings.team.id, name: settings.team.name },
    me: personaOf(user),
    personas: [...world.users.values()].map(personaOf),
    channels: channelsOf(world, user).map((channel) => channelOf(world, channel)),
    messages: messagesOf(world, user).map((message) => messageOf(world, user, message)),
    views: openViews(world, user.id).map(viewOf),
    home: home === undefined ? null : viewOf(home),
    commands: manifest.commands.map((command) => ({
      command: command.command,
      description: command.description,
      usageHint: command.usage_hint,
    })),
    shortcuts: manifest.shortcuts.map((shortcut) => ({
      callbackId: shortcut.callback_id,
      name: shortcut.name,
      type: shortcut.type,
    })),
    botConnected: world.transport?.connected() ?? false,
    switches: world.controls?.list(),
    traffic: world.traffic.all().slice(-shownTraffic).reverse().map(entryOf),
  };
}

function personaOf({ id, name, realName, kind, zone }: User): Persona {
  return { id, name, realName, kind, zone };
}

/** Direct messages are shown under the bot's name, as the real client does. */
function channelOf(world: World, channel: Channel): PageChannel {
  const { id, kind, archived } = channel;
  const name = kind === 'dm' ? world.manifest.botName : channel.name;
  return { id, name, kind, archived, shared: channel.sharedWith !== null };
}

function messageOf(world: World, user: User, message: Message): PageMessage {
  const sender = world.users.get(message.userId)?.name;
  return {
    channel: message.channel,
    ts: message.ts,
    threadTs: message.threadTs,
    userId: message.userId,
    userName: message.fromBot ? world.manifest.botName : (sender ?? message.userId),
    fromBot: message.fromBot,
    text: message.text,
    blocks: message.blocks,
    files: message.files.flatMap((id) => {
      const file = world.files.get(id);
      if (file === undefined) return [];
      const mimetype = mimetypeOf(file.name);
      return [{ id, title: file.title, mimetype, url: fileUrl(world, id) }];
    }),
    ephemeral: message.ephemeralFor !== null,
    edited: message.edited,
    values: stateOf({ blocks: message.blocks }, message.typed.get(user.id) ?? {}),
  };
}

function viewOf(view: View): PageView {
  const { body } = view;
  const submit = wordsOf(body['submit']);
  const close = wordsOf(body['close']);
  return {
    id: view.id,
    hash: view.hash,
    callbackId: textOf(body['callback_id']) ?? '',
    title: wordsOf(body['title']),
    submit: submit === '' ? null : submit,
    close: close === '' ? 'Cancel' : close,
    blocks: objectsOf(body['blocks']),
    errors: view.errors,
    busy: view.busy,
    values: stateOf(body, view.typed),
  };
}

function entryOf(record: TrafficRecord): TrafficEntry {
  const { at, direction, what, detail, problem, milliseconds } = record;
  return { at, direction, what, detail, problem, milliseconds };
}

/** The channels that a person has on their page: those they are in, direct messages last. */
function channelsOf(world: World, user: User): readonly Channel[] {
  const own = [...world.channels.values()].filter((channel) => channel.members.has(user.id));
  return own.toSorted((a, b) => Number(a.kind === 'dm') - Number(b.kind === 'dm'));
}

/** All messages that this person sees, oldest first. */
function messagesOf(world: World, user: User): readonly Message[] {
  return world.messages.filter(
    (message) =>
      world.channels.get(message.channel)?.members.has(user.id) === true &&
      (message.ephemeralFor === null || message.ephemeralFor === user.id),
  );
}
