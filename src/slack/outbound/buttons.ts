import { z } from 'zod';
import type { Card, CardAction, RawInput } from '../../core/card/card.ts';
import type { Actor, Clock } from '../../core/ports/ports.ts';
import { channelOf, ownerOf, type ReplyTo, type SlackDeps } from './deps.ts';

/** Of a button's value; its operation and our marks need the rest. */
const INPUT_LIMIT = 1_200;
const KEPT_MS = 4 * 60 * 60_000;
/** In a channel a button outlives the day on which it was posted; it is judged when pressed. */
const KEPT_IN_CHANNEL_MS = 7 * 24 * 60 * 60_000;
/** No field has this name. */
const MARK = '@saved';

/** What the buttons of a card need to be stored. */
export type ButtonDeps = Pick<SlackDeps, 'registry' | 'forms' | 'pending'> &
  Readonly<{ ports: Readonly<{ clock: Clock }> }>;

/** Whose card it is and which request it belongs to; absent for a card of Steward's own. */
export type ButtonOwner = Partial<Pick<ReplyTo, 'actor' | 'journal' | 'place'>>;

/**
 * The card with buttons that are safe to leave: what runs something becomes a question of its own in
 * the database, claimed by one press like any other; input too long for a button is kept there under
 * an opaque id that only its owner can use. Throws AppError `storage`. Design: §6.
 */
export async function withButtons<C extends Card>(
  card: C,
  owner: ButtonOwner,
  deps: ButtonDeps,
): Promise<C> {
  if (card.actions === undefined) return card;
  const { audience } = card;
  const actions = await Promise.all(
    card.actions.map((action) =>
      runs(action, audience, deps)
        ? singleUse(action, { audience, owner }, deps)
        : keepLong(action, owner.actor, deps),
    ),
  );
  return { ...card, actions };
}

type Running = CardAction & { readonly do: Extract<CardAction['do'], { kind: 'run' | 'open' }> };

/** A read in a channel is for everybody and as often as they like; it changes nothing. */
function runs(action: CardAction, audience: Card['audience'], deps: ButtonDeps): action is Running {
  const wanted = action.do;
  if (wanted.kind !== 'run' && wanted.kind !== 'open') return false;
  const operation = deps.registry.find(wanted.operation);
  if (operation === undefined) return false;
  if (wanted.kind === 'open') return operation.fields.length === 0 && operation.risk !== 'read';
  return operation.risk !== 'read' || audience === 'requester';
}

async function singleUse(
  action: Running,
  { audience, owner }: { readonly audience: Card['audience']; readonly owner: ButtonOwner },
  deps: ButtonDeps,
): Promise<CardAction> {
  const { operation, input, options } = action.do;
  const forAll = audience === 'channel' || owner.actor === undefined;
  const lastsMs = forAll ? KEPT_IN_CHANNEL_MS : KEPT_MS;
  const expires = deps.ports.clock.now().plus({ milliseconds: lastsMs });
  const { place = 'home' } = owner;
  const pending = await deps.pending.create({
    kind: 'run',
    operation,
    input,
    options,
    actor: owner.actor ?? NOBODY,
    planHash: '',
    approvers: forAll ? ['anyone'] : [],
    expiresAt: expires.toISO(),
    journal: owner.journal ?? 0,
    channelId: channelOf(place),
  });
  return { ...action, do: { kind: 'use', pending: pending.id } };
}

const NOBODY: Actor = { userId: '', teamId: '' };

async function keepLong(
  action: CardAction,
  owner: Actor | undefined,
  deps: ButtonDeps,
): Promise<CardAction> {
  if (!('input' in action.do) || owner === undefined) return action;
  if (JSON.stringify(action.do.input).length <= INPUT_LIMIT) return action;
  const { input } = action.do;
  const id = await deps.forms.save({ owner: ownerOf(owner), value: input, ttlMs: KEPT_MS });
  return { ...action, do: { ...action.do, input: { [MARK]: id } } };
}

/** The input behind a button; undefined where it was kept and is another person's or too old. */
export async function longInput(
  input: RawInput,
  to: Pick<ReplyTo, 'actor'>,
  deps: Pick<SlackDeps, 'forms'>,
): Promise<RawInput | undefined> {
  const id = input[MARK];
  if (typeof id !== 'string') return input;
  const kept = z
    .record(z.string(), z.unknown())
    .safeParse(await deps.forms.load(id, ownerOf(to.actor)));
  return kept.success ? kept.data : undefined;
}
