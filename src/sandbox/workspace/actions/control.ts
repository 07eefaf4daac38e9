import type { PageAction, PageAnswer } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import { done, refuse } from './refused.ts';

type Control = Extract<PageAction, { kind: 'switch' | 'advance' }>;

/** What is done to the world itself: a fault switched, the clock moved ahead. */
export async function control(world: World, action: Control): Promise<PageAnswer> {
  const { controls } = world;
  if (controls === undefined) return refuse('This workspace was started without controls.');
  try {
    if (action.kind === 'switch') controls.set(action.id, action.on);
    else await controls.advance(action.by, () => world.changes.bump());
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : 'This cannot be done.');
  }
  world.changes.bump();
  return done;
}
