import type { PageAction, PageAnswer } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { User } from '../state/world-types.ts';
import { control } from './control.ts';
import { act, suggest, type } from './element.ts';
import { close, submit } from './modal.ts';
import { Refused, refuse } from './refused.ts';
import { say } from './say.ts';
import { messageShortcut, openHome, shortcut } from './shortcut.ts';

/**
 * Does what a person does on the page. Resolves when the bot has acknowledged it, with the sentence
 * that the real client would show when something is refused or fails.
 */
export async function perform(world: World, action: PageAction): Promise<PageAnswer> {
  const user = world.users.get(action.as);
  if (user === undefined) return refuse('Nobody here has this id.');
  if (user.kind === 'deleted') return refuse('This account is deactivated.');
  try {
    return await route(world, user, action);
  } catch (error) {
    if (error instanceof Refused) return refuse(error.message);
    throw error;
  }
}

async function route(world: World, user: User, action: PageAction): Promise<PageAnswer> {
  switch (action.kind) {
    case 'say':
      return await say(world, user, action);
    case 'act':
      return await act(world, user, action);
    case 'type':
      return type(world, user, action);
    case 'suggest':
      return await suggest(world, user, action);
    case 'submit':
      return await submit(world, user, action.view);
    case 'close':
      return await close(world, user, { view: action.view, all: action.all ?? false });
    case 'shortcut':
      return await shortcut(world, user, action.callbackId);
    case 'messageShortcut':
      return await messageShortcut(world, user, action);
    case 'openHome':
      return openHome(world, user);
    case 'switch':
    case 'advance':
      return control(world, action);
  }
}
