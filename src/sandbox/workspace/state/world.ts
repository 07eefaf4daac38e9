import { Changes } from './changes.ts';
import { Faults } from './faults.ts';
import { Ids } from './ids.ts';
import type { Manifest } from './manifest.ts';
import type { Controls, PersonaSeed, Settings } from './options.ts';
import { Traffic } from './traffic.ts';
import type {
  Channel,
  Delivery,
  Message,
  ResponseUrl,
  StoredFile,
  Transport,
  Trigger,
  User,
  UserGroup,
  View,
} from './world-types.ts';

/** Everything the workspace knows. Functions beside it change it and call `changes.bump()`. */
export class World {
  readonly settings: Settings;
  manifest: Manifest;
  readonly ids: Ids;
  readonly changes = new Changes();
  readonly traffic: Traffic;
  readonly faults = new Faults();
  readonly users = new Map<string, User>();
  readonly channels = new Map<string, Channel>();
  /** Ids that a channel had before and that still find it. */
  readonly formerIds = new Map<string, string>();
  readonly userGroups = new Map<string, UserGroup>();
  messages: Message[] = [];
  readonly views = new Map<string, View>();
  /** The open modals of a person, top last. */
  readonly stacks = new Map<string, string[]>();
  /** The view id of a person's published Home. */
  readonly homes = new Map<string, string>();
  readonly files = new Map<string, StoredFile>();
  readonly triggers = new Map<string, Trigger>();
  readonly responseUrls = new Map<string, ResponseUrl>();
  /** Unused addresses for a socket. */
  readonly tickets = new Set<string>();
  readonly scheduled = new Map<string, AbortController>();
  /** What was sent to the bot, newest last. */
  deliveries: Delivery[] = [];
  /** The address that the bot is told; `http://127.0.0.1:PORT` unless the options name another. */
  baseUrl = '';
  transport: Transport | null = null;
  readonly controls: Controls | undefined;
  private closing = new AbortController();

  constructor(settings: Settings, manifest: Manifest) {
    this.settings = settings;
    this.manifest = manifest;
    this.ids = new Ids(settings.clock);
    this.traffic = new Traffic(settings.clock, this.changes);
    this.controls = settings.controls?.(this.faults);
    this.seed();
  }

  /** Milliseconds of the workspace's clock. */
  now(): number {
    return this.settings.clock.now().toMillis();
  }

  /** Aborts when the workspace is reset or closed; every timer hangs on it. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  /** Back to the seed: messages, views, files, faults, timers, traffic and ids are forgotten. */
  reset(): void {
    this.stopTimers();
    for (const map of [
      this.users,
      this.channels,
      this.formerIds,
      this.userGroups,
      this.views,
      this.stacks,
      this.homes,
      this.files,
      this.triggers,
      this.responseUrls,
      this.scheduled,
    ]) {
      map.clear();
    }
    this.tickets.clear();
    this.messages = [];
    this.deliveries = [];
    this.traffic.clear();
    this.ids.reset();
    this.seed();
    this.changes.bump();
  }

  stopTimers(): void {
    this.closing.abort(new Error('The workspace was closed or reset.'));
    this.closing = new AbortController();
  }

  addUser(seed: PersonaSeed): void {
    const dm = `D${seed.id.slice(1)}`;
    this.users.set(seed.id, { ...seed, teamId: seed.teamId ?? this.settings.team.id, dm });
    this.channels.set(dm, {
      id: dm,
      name: 'directmessage',
      kind: 'dm',
      members: new Set([seed.id, this.settings.botUserId]),
      archived: false,
      sharedWith: null,
      pendingShare: false,
    });
  }

  private seed(): void {
    const { settings } = this;
    this.faults.reset(settings.nativeData);
    for (const persona of settings.personas) this.addUser(persona);
    for (const channel of settings.channels) {
      const bot = channel.bot === false ? [] : [settings.botUserId];
      this.channels.set(channel.id, {
        id: channel.id,
        name: channel.name,
        kind: channel.kind ?? 'public',
        members: new Set([...channel.members, ...bot]),
        archived: channel.archived ?? false,
        sharedWith: channel.sharedWith ?? null,
        pendingShare: channel.pendingShare ?? false,
      });
    }
    for (const group of settings.userGroups) this.userGroups.set(group.id, { ...group });
  }
}

/** The person with this id or name; throws for an unknown one. */
export function findUser(world: World, idOrName: string): User {
  const wanted = idOrName.replace(/^@/, '').toLowerCase();
  for (const user of world.users.values()) {
    if (user.id.toLowerCase() === wanted || user.name.toLowerCase() === wanted) return user;
  }
  throw new Error(`Nobody in the workspace is called ${idOrName}.`);
}

/** The channel with this id or name (`#ops`, `ops`, `C0OPS`); throws for an unknown one. */
export function findChannel(world: World, idOrName: string): Channel {
  const wanted = idOrName.replace(/^#/, '');
  for (const channel of world.channels.values()) {
    if (channel.id === wanted || (channel.kind !== 'dm' && channel.name === wanted)) return channel;
  }
  throw new Error(`The workspace has no channel ${idOrName}.`);
}
