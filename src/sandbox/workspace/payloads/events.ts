import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Channel } from '../state/world-types.ts';
import { newDelivery, redeliver, send } from './deliver.ts';

/** When the real service tries an unanswered event again, in ms after the failure. */
const retryAfter = [0, 60_000, 300_000];

/**
 * Sends an event to the bot when its manifest subscribes to it; otherwise nothing is delivered.
 * `name` is the name of the subscription (`message.channels`), which differs from the event's type.
 */
export function emitEvent(world: World, name: string, event: Json, channel?: Channel): void {
  if (!world.manifest.events.includes(name)) return;
  deliverEvent(world, eventPayload(world, event, channel)).catch(() => undefined);
}

function eventPayload(world: World, event: Json, channel: Channel | undefined): Json {
  const { settings, ids } = world;
  return {
    token: settings.verificationToken,
    team_id: settings.team.id,
    api_app_id: settings.appId,
    type: 'event_callback',
    event_id: ids.next('Ev'),
    event_time: Math.floor(world.now() / 1_000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: settings.team.id,
        user_id: settings.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: (channel?.sharedWith ?? null) !== null,
    event_context: ids.next('4-fake-'),
    event,
  };
}

async function deliverEvent(world: World, payload: Json): Promise<void> {
  const { signal } = world;
  let delivery = newDelivery(world, 'events_api', payload);
  let ack = await send(world, delivery);
  for (const wait of retryAfter) {
    if (ack.ok || signal.aborted) return;
    const reason = ack.error === 'operation_timeout' ? 'http_timeout' : 'http_error';
    if (wait > 0) await world.settings.clock.sleep(wait, signal);
    ack = await redeliver(world, delivery, reason);
    delivery = { ...delivery, retry: { attempt: delivery.retry.attempt + 1, reason } };
  }
}
