import { z } from 'zod';
import type { CardAction, RawInput } from '../core/card.ts';
import type { ReplyTo, SlackDeps } from './deps.ts';
import { ownerOf } from './places.ts';

/** A button's value holds 2,000 characters; its operation and our marks need some of them. */
const INPUT_LIMIT = 1_600;
const KEPT_MS = 4 * 60 * 60_000;
/** No field has this name. */
const MARK = '@saved';

type WithActions = { readonly actions?: readonly CardAction[] };

/**
 * The card with every input that is too long for a button kept in the database under an opaque id:
 * what was typed into a large form survives "Try again". Only the person it was typed by can use it.
 */
export async function keepLongInput<C extends WithActions>(
  card: C,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<C> {
  if (card.actions === undefined) return card;
  const actions = await Promise.all(card.actions.map((action) => keep(action, to, deps)));
  return { ...card, actions };
}

async function keep(action: CardAction, to: ReplyTo, deps: SlackDeps): Promise<CardAction> {
  if (!('input' in action.do) || JSON.stringify(action.do.input).length <= INPUT_LIMIT) {
    return action;
  }
  const { input } = action.do;
  const id = await deps.forms.save({ owner: ownerOf(to.actor), value: input, ttlMs: KEPT_MS });
  return { ...action, do: { ...action.do, input: { [MARK]: id } } };
}

/** The input behind a button; undefined where it was kept and is another person's or too old. */
export async function longInput(
  input: RawInput,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<RawInput | undefined> {
  const id = input[MARK];
  if (typeof id !== 'string') return input;
  const kept = z
    .record(z.string(), z.unknown())
    .safeParse(await deps.forms.load(id, ownerOf(to.actor)));
  return kept.success ? kept.data : undefined;
}
