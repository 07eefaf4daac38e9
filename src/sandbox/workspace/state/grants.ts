import type { World } from './world.ts';
import type { Trigger } from './world-types.ts';

/** How long a trigger may open a modal, in ms. */
const triggerLife = 3_000;
/** How long a response URL lives, in ms. */
const responseUrlLife = 30 * 60_000;

/** A trigger for this person: 3 s, one use. `viewId` is the modal it came from. */
export function newTrigger(world: World, userId: string, viewId: string | null = null): string {
  const id = world.ids.trigger();
  world.triggers.set(id, { userId, viewId, expiresAt: world.now() + triggerLife, used: false });
  return id;
}

/** Uses up a trigger, or says with the real service's code why it cannot be used. */
export function takeTrigger(
  world: World,
  id: string,
): { readonly trigger: Trigger } | { readonly error: string } {
  const trigger = world.triggers.get(id);
  if (trigger === undefined) return { error: 'invalid_trigger_id' };
  if (trigger.used) return { error: 'exchanged_trigger_id' };
  if (world.now() > trigger.expiresAt) return { error: 'expired_trigger_id' };
  trigger.used = true;
  return { trigger };
}

/** Whom and what a response URL speaks to. */
export type ResponseTarget = {
  readonly channel: string;
  readonly userId: string;
  readonly original?: string;
  readonly threadTs?: string | null;
};

/** A fresh response URL: 5 uses within 30 minutes. Without `original` it can only post anew. */
export function newResponseUrl(world: World, target: ResponseTarget): string {
  const id = world.ids.next('response-');
  world.responseUrls.set(id, {
    id,
    channel: target.channel,
    userId: target.userId,
    original: target.original ?? null,
    threadTs: target.threadTs ?? null,
    expiresAt: world.now() + responseUrlLife,
    uses: 0,
  });
  return `${world.baseUrl}/response/${id}`;
}
