import type { App } from '@slack/bolt';
import type { HomeView } from '@slack/types';
import { z } from 'zod';
import { PERHAPS_MORE } from '../core/operation/registry.ts';
import type { Actor } from '../core/ports/ports.ts';
import { bold, channel, code, joinText, say, time } from '../core/text/text.ts';
import { eventDeliveryOf } from './inbound/intake/once.ts';
import { eventShape, readPayload, slackId } from './inbound/intake/payloads.ts';
import { ownOffers } from './inbound/offers.ts';
import type { SlackDeps } from './outbound/deps.ts';
import { context, type SlackBlock, section } from './render/blocks.ts';
import { cut, toMrkdwn } from './render/mrkdwn.ts';

const opened = eventShape.extend({
  event: z.looseObject({ user: slackId, tab: z.string().optional() }),
});

/** App Home: what this person may do, channel by channel, by the policy's own function. */
export function registerHome(app: App, deps: SlackDeps): void {
  app.event('app_home_opened', async ({ body }) => {
    const payload = readPayload(opened, body);
    const { team_id, event } = payload;
    if (event.tab !== undefined && event.tab !== 'home') return;
    if (!(await deps.deliveries.claim(`event:${eventDeliveryOf(payload)}`))) return;
    await deps.track(publish({ userId: event.user, teamId: team_id }, deps));
  });
}

/** What Slack took nowhere else. */
async function untold(
  { userId }: Actor,
  { outbox, ports }: SlackDeps,
): Promise<readonly SlackBlock[]> {
  const rows = await outbox.undelivered({ userId });
  if (rows.length === 0) return [];
  const numbers = rows.map(({ journal, at }) => say`journal ${journal}, ${time(at)}`);
  const log = code(`${ports.settings.get().command} log`);
  return [
    section(
      toMrkdwn(
        say`${bold('Not delivered')}: ${joinText(numbers, '; ')}. ${log} says what happened.`,
      ),
    ),
  ];
}

async function publish(actor: Actor, deps: SlackDeps): Promise<void> {
  const blocks: SlackBlock[] = [];
  let perhapsMore = false;
  for (const { id } of deps.ports.settings.get().channels.slice(0, 40)) {
    const { operations, unsure } = await ownOffers(actor, id, deps);
    perhapsMore ||= unsure;
    if (operations.length === 0) continue;
    const words = operations.map(({ slash }) => slash.words.join(' ')).join(', ');
    blocks.push(section(cut(toMrkdwn(say`${channel(id)}: ${words}`), 3_000)));
  }
  const { command } = deps.ports.settings.get();
  const view: HomeView = {
    type: 'home',
    blocks: [
      section(
        toMrkdwn(
          blocks.length === 0 && !perhapsMore
            ? say`You may not do anything in the channels that Steward serves.`
            : say`What you may do, by channel. Type ${code(command)} there for its menu.`,
        ),
      ),
      ...blocks,
      ...(await untold(actor, deps)),
      ...(perhapsMore ? [section(toMrkdwn(PERHAPS_MORE))] : []),
      context(toMrkdwn(say`${code(`${command} help`)} prints every command with an example.`)),
      // Home takes only published block types here.
    ] as HomeView['blocks'],
  };
  try {
    await deps.web.publishHome(actor.userId, view);
  } catch (cause) {
    deps.logger.info({ cause }, 'App Home was not drawn');
  }
}
