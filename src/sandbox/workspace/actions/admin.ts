import { emitEvent } from '../payloads/events.ts';
import type { PersonaSeed } from '../state/options.ts';
import { findChannel, findUser, type World } from '../state/world.ts';

/** What an administrator of the workspace changes while the bot runs. Names or ids throughout. */
export type Admin = {
  archive(channel: string): void;
  unarchive(channel: string): void;
  /** Removes the bot (or somebody) from a channel. */
  kick(channel: string, user?: string): void;
  /** Adds the bot (or somebody) to a channel. */
  add(channel: string, user?: string): void;
  /** Makes a channel private: for those who are in it. */
  close(channel: string): void;
  /** Shares a channel with another workspace, or stops it with null. */
  share(channel: string, withTeam: string | null): void;
  /** Makes somebody a guest, deactivates them, moves their zone … */
  change(user: string, patch: Partial<Omit<PersonaSeed, 'id'>>): void;
  /** As when Slack turns a channel from one kind into another: its id begins with the other letter. */
  convert(channel: string, options?: { readonly oldIdAnswers?: boolean }): void;
  setUserGroup(id: string, users: readonly string[]): void;
  /** The app is installed again without a scope, or with it; the token stays. */
  takeScope(scope: string): void;
  giveScope(scope: string): void;
};

/** Changes to the seed take effect at once and are told to the bot where it subscribed. */
export function createAdmin(world: World): Admin {
  const { botUserId } = world.settings;
  const idOf = (user: string | undefined): string =>
    user === undefined ? botUserId : findUser(world, user).id;
  const tell = (type: string, channelId: string, user?: string): void => {
    const event = { type, channel: channelId, user: user ?? botUserId, event_ts: world.ids.ts() };
    emitEvent(world, type, event, world.channels.get(channelId));
    world.changes.bump();
  };
  const scopes = () => world.manifest.scopes;
  const install = (given: readonly string[]): void => {
    world.manifest = { ...world.manifest, scopes: given };
  };
  return {
    archive(name) {
      const channel = findChannel(world, name);
      channel.archived = true;
      tell('channel_archive', channel.id);
    },
    unarchive(name) {
      const channel = findChannel(world, name);
      channel.archived = false;
      tell('channel_unarchive', channel.id);
    },
    close(name) {
      const channel = findChannel(world, name);
      channel.kind = 'private';
      tell('channel_convert_to_private', channel.id);
    },
    kick(name, user) {
      const channel = findChannel(world, name);
      channel.members.delete(idOf(user));
      tell(user === undefined ? 'channel_left' : 'member_left_channel', channel.id, idOf(user));
    },
    add(name, user) {
      const channel = findChannel(world, name);
      channel.members.add(idOf(user));
      tell('member_joined_channel', channel.id, idOf(user));
    },
    share(name, withTeam) {
      findChannel(world, name).sharedWith = withTeam;
      world.changes.bump();
    },
    change(name, patch) {
      const user = findUser(world, name);
      world.users.set(user.id, { ...user, ...patch, teamId: patch.teamId ?? user.teamId });
      world.changes.bump();
    },
    convert(name, { oldIdAnswers = false } = {}) {
      const channel = findChannel(world, name);
      const id = `${channel.id.startsWith('C') ? 'G' : 'C'}${channel.id.slice(1)}`;
      world.channels.delete(channel.id);
      world.channels.set(id, { ...channel, id });
      if (oldIdAnswers) world.formerIds.set(channel.id, id);
      world.changes.bump();
    },
    setUserGroup(id, users) {
      const group = world.userGroups.get(id);
      if (group === undefined) throw new Error(`There is no user group ${id}.`);
      group.users = users;
    },
    takeScope: (scope) => install(scopes().filter((one) => one !== scope)),
    giveScope: (scope) => install([...scopes(), scope]),
  };
}
