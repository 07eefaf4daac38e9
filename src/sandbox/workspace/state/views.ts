import { objectsOf, textOf } from '../protocol/json.ts';
import type { Json, StateValues } from '../protocol/page-protocol.ts';
import { stateOf } from './elements.ts';
import { takeTrigger } from './grants.ts';
import type { World } from './world.ts';
import type { User, View } from './world-types.ts';

/** The most modals that lie on each other. */
const stackLimit = 3;

/** A view that now stands, or the real service's code for why not. */
export type ViewOutcome = { readonly view: View } | { readonly error: string };

/** Opens a modal as the only one of the person whose trigger this is. */
export function openView(world: World, triggerId: string, body: Json): ViewOutcome {
  const taken = takeTrigger(world, triggerId);
  if ('error' in taken) return taken;
  const { userId } = taken.trigger;
  if (isTaken(world, body)) return { error: 'duplicate_external_id' };
  dropStack(world, userId);
  return { view: putOnTop(world, userId, body) };
}

/** Lays a modal over the one that the trigger came from. */
export function pushView(world: World, triggerId: string, body: Json): ViewOutcome {
  const taken = takeTrigger(world, triggerId);
  if ('error' in taken) return taken;
  const { userId, viewId } = taken.trigger;
  if (viewId === null || !stackOf(world, userId).includes(viewId)) return { error: 'not_found' };
  return pushOver(world, userId, body);
}

/** As `pushView`, for an answer to a submission, which needs no trigger. */
export function pushOver(world: World, userId: string, body: Json): ViewOutcome {
  if (stackOf(world, userId).length >= stackLimit) return { error: 'push_limit_reached' };
  if (isTaken(world, body)) return { error: 'duplicate_external_id' };
  return { view: putOnTop(world, userId, body) };
}

/**
 * Replaces what a view shows. What was typed stays where an element of the same `block_id`,
 * `action_id` and type is still there.
 */
export function updateView(
  world: World,
  view: View,
  body: Json,
  hash: string | undefined,
): ViewOutcome {
  if (hash !== undefined && hash !== view.hash) return { error: 'hash_conflict' };
  if (isTaken(world, body, view)) return { error: 'duplicate_external_id' };
  view.typed = keptState(view.typed, body);
  view.body = body;
  view.hash = newHash(world);
  view.errors = {};
  world.changes.bump();
  return { view };
}

/** Publishes the Home of a person; a later one updates it. */
export function publishHome(
  world: World,
  user: User,
  body: Json,
  hash: string | undefined,
): ViewOutcome {
  const present = homeOf(world, user.id);
  if (present !== undefined) return updateView(world, present, body, hash);
  const view = newView(world, { userId: user.id, body, previous: undefined });
  world.homes.set(user.id, view.id);
  world.changes.bump();
  return { view };
}

/** The published Home of a person, if there is one. */
export function homeOf(world: World, userId: string): View | undefined {
  return world.views.get(world.homes.get(userId) ?? '');
}

/** The open modals, top last. */
export function openViews(world: World, userId: string): readonly View[] {
  return stackOf(world, userId).flatMap((id) => world.views.get(id) ?? []);
}

/** An open modal or a Home, by its id or by the id that the bot gave it. */
export function findView(
  world: World,
  key: { id?: string; externalId?: string },
): View | undefined {
  if (key.id !== undefined) return world.views.get(key.id);
  return [...world.views.values()].find(
    (view) => key.externalId !== undefined && view.body['external_id'] === key.externalId,
  );
}

/** Takes the top modal away. */
export function closeTop(world: World, userId: string): void {
  const top = stackOf(world, userId).at(-1);
  if (top === undefined) return;
  world.stacks.set(userId, stackOf(world, userId).slice(0, -1));
  world.views.delete(top);
  world.changes.bump();
}

/** Takes all modals of a person away. */
export function dropStack(world: World, userId: string): void {
  for (const id of stackOf(world, userId)) world.views.delete(id);
  world.stacks.delete(userId);
  world.changes.bump();
}

function stackOf(world: World, userId: string): readonly string[] {
  return world.stacks.get(userId) ?? [];
}

function putOnTop(world: World, userId: string, body: Json): View {
  const stack = stackOf(world, userId);
  const previous = world.views.get(stack.at(-1) ?? '');
  const view = newView(world, { userId, body, previous });
  world.stacks.set(userId, [...stack, view.id]);
  world.changes.bump();
  return view;
}

function newView(
  world: World,
  parts: { readonly userId: string; readonly body: Json; readonly previous: View | undefined },
): View {
  const id = world.ids.next('V');
  const view: View = {
    id,
    type: parts.body['type'] === 'home' ? 'home' : 'modal',
    userId: parts.userId,
    rootId: parts.previous?.rootId ?? id,
    previousId: parts.previous?.id ?? null,
    body: parts.body,
    hash: newHash(world),
    typed: {},
    errors: {},
    busy: false,
  };
  world.views.set(id, view);
  return view;
}

function newHash(world: World): string {
  return `${Math.floor(world.now() / 1_000)}.${world.ids.next('hash')}`;
}

function isTaken(world: World, body: Json, own?: View): boolean {
  const externalId = textOf(body['external_id']);
  if (externalId === undefined || externalId === '') return false;
  const holder = findView(world, { externalId });
  return holder !== undefined && holder !== own;
}

/** The typed state without what belongs to elements that are gone or of another type. */
function keptState(typed: StateValues, body: Json): StateValues {
  const present = stateOf({ blocks: objectsOf(body['blocks']) }, typed);
  const blocks = Object.entries(typed).map(([blockId, states]) => {
    const kept = Object.entries(states).filter(
      ([actionId, state]) => present[blockId]?.[actionId]?.['type'] === state['type'],
    );
    return [blockId, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(blocks);
}
