import { deliver } from '../payloads/deliver.ts';
import { blockActionsPayload, type Source, suggestionPayload } from '../payloads/payloads.ts';
import { objectsOf } from '../protocol/json.ts';
import type { ElementSource, Json, PageAnswer } from '../protocol/page-protocol.ts';
import { dispatches, type FoundElement, findElement, withTyped } from '../state/elements.ts';
import { findVisible } from '../state/messages.ts';
import { homeOf, openViews } from '../state/views.ts';
import type { World } from '../state/world.ts';
import type { User } from '../state/world-types.ts';
import { stateKey } from '../validator/elements/inputs.ts';
import { validateOptions } from '../validator/options.ts';
import { appFailed, done, Refused, refuse, requireMember } from './refused.ts';

type Target = {
  readonly source: ElementSource;
  readonly blockId: string;
  readonly actionId: string;
};

type Found = { readonly place: Source; readonly found: FoundElement };

/** A press or a change that the bot is told about at once. Facts: Payloads. */
export async function act(
  world: World,
  user: User,
  target: Target & { readonly state?: Json | undefined },
): Promise<PageAnswer> {
  const { place, found } = locate(world, user, target);
  if (target.state !== undefined && stateKey(found.element) !== null) {
    remember(world, user, place, { ...target, state: target.state });
  }
  if (!dispatches(found)) return done;
  if (!world.manifest.interactivity) return refuse('The app does not take interactions.');
  const payload = blockActionsPayload(world, user, place, { found, state: target.state });
  const ack = await deliver(world, 'interactive', payload);
  return ack.ok ? done : appFailed('This', ack.error);
}

/** Typing that the bot is not told about. */
export function type(
  world: World,
  user: User,
  target: Target & { readonly state: Json },
): PageAnswer {
  const { place } = locate(world, user, target);
  remember(world, user, place, target);
  return done;
}

/** Asks the bot for the options of an external select. */
export async function suggest(
  world: World,
  user: User,
  target: Target & { readonly value: string },
): Promise<PageAnswer> {
  const { place, found } = locate(world, user, target);
  const least = Number(found.element['min_query_length'] ?? 3);
  if (target.value.length < least) return { ok: true, options: [] };
  const payload = suggestionPayload(world, user, place, { found, value: target.value });
  const ack = await deliver(world, 'interactive', payload);
  if (!ack.ok) return appFailed('Loading the options', ack.error);
  const checked = validateOptions(ack.body);
  if (!checked.ok) {
    world.traffic.warn('block_suggestion', checked.messages.join('; '));
    return refuse('Loading the options failed: the answer does not fit.');
  }
  const { options, option_groups: groups } = ack.body;
  if (Array.isArray(groups)) return { ok: true, optionGroups: objectsOf(groups) };
  return { ok: true, options: objectsOf(options) };
}

function locate(world: World, user: User, target: Target): Found {
  const place = placeOf(world, user, target.source);
  const blocks = 'view' in place ? objectsOf(place.view.body['blocks']) : place.message.blocks;
  const found = findElement(blocks, target.blockId, target.actionId);
  if (found === undefined) throw new Refused('This element is no longer there.');
  return { place, found };
}

function placeOf(world: World, user: User, source: ElementSource): Source {
  if ('view' in source) {
    const open = [...openViews(world, user.id), homeOf(world, user.id)];
    const view = open.find((other) => other?.id === source.view);
    if (view === undefined) throw new Refused('This view is no longer open.');
    return { view };
  }
  const channel = requireMember(world, user, source.message.channel);
  const message = findVisible(world, source.message, user.id);
  if (message === undefined) throw new Refused('This message is no longer there.');
  return { message, channel };
}

function remember(
  world: World,
  user: User,
  place: Source,
  target: Target & { readonly state: Json },
): void {
  if ('view' in place) {
    const { view } = place;
    view.typed = withTyped(view.typed, target, target.state);
    // As in the real client, the complaint goes as soon as the field is changed.
    const { [target.blockId]: _gone, ...errors } = view.errors;
    view.errors = errors;
  } else {
    const typed = place.message.typed.get(user.id) ?? {};
    place.message.typed.set(user.id, withTyped(typed, target, target.state));
  }
  world.changes.bump();
}
