import type { App } from '@slack/bolt';
import type { HomeView } from '@slack/types';
import { z } from 'zod';
import type { Row } from '../../core/card/card.ts';
import { rowForMe, rowOfMine, unsureLine, waitingFor } from '../../core/list/requests.ts';
import { serviceRows } from '../../core/list/services.ts';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { PERHAPS_MORE } from '../../core/operation/registry.ts';
import { visibleServices } from '../../core/operation/resolve.ts';
import type { Actor } from '../../core/ports/ports.ts';
import {
  bold,
  channel,
  code,
  counted,
  joinText,
  say,
  type Text,
  time,
} from '../../core/text/text.ts';
import type { SlackDeps } from '../outbound/deps.ts';
import { context, type SlackBlock, section } from '../render/blocks.ts';
import { cut, toMrkdwn } from '../render/mrkdwn.ts';
import { type RowLook, renderRow } from '../render/render.ts';
import { eventDeliveryOf, eventShape, readPayload, slackId } from './intake/payloads.ts';
import { ownOffers } from './offers.ts';
import { createOpenHomes } from './open-homes.ts';

const opened = eventShape.extend({
  event: z.looseObject({ user: slackId, tab: z.string().optional() }),
});

/** App Home, drawn anew whenever it is opened, and while it is looked at. */
export function registerHome(app: App, deps: SlackDeps): void {
  const homes = createOpenHomes(deps, publishHome);
  deps.delivery.onRequest((pending) => void homes.changed(pending));
  app.event('app_home_opened', async ({ body }) => {
    const payload = readPayload(opened, body);
    const { team_id, event } = payload;
    if (event.tab !== undefined && event.tab !== 'home') return;
    if (!(await deps.deliveries.claim(`event:${eventDeliveryOf(payload)}`))) return;
    const actor = { userId: event.user, teamId: team_id };
    await deps.track(Promise.all([homes.opened(actor), publishHome(actor, deps)]));
  });
}

/** Slack takes 100 blocks in a Home; what does not fit is counted, with the way to it. */
const BLOCKS = 100;
const REQUESTS = 8;
const CHANNELS = 20;
const SERVICES = 10;
/** So many services have their buttons in sight; more of them have a menu each. */
const WITH_BUTTONS = 8;

/**
 * A place to work: what waits for this person, what they asked for, the services that they may see,
 * channel by channel as the policy judges there. Throws nothing. Design: §5, §6.
 */
export async function publishHome(actor: Actor, deps: SlackDeps): Promise<void> {
  try {
    const view: HomeView = {
      type: 'home',
      // Home takes only published block types here.
      blocks: [...(await blocksFor(actor, deps))] as HomeView['blocks'],
    };
    await deps.web.publishHome(actor.userId, JSON.parse(deps.scrub(JSON.stringify(view))));
  } catch (cause) {
    deps.logger.info({ cause }, 'App Home was not drawn');
  }
}

async function blocksFor(actor: Actor, deps: SlackDeps): Promise<readonly SlackBlock[]> {
  // Requests and services are for members alone: another workspace may have the id of one of ours.
  const isMember = (await deps.policy.isOneOf(actor, ['anyone'])) === 'yes';
  const requests = isMember ? await requestBlocks(actor, deps) : [];
  const missing = await untold(actor, deps);
  const { places, unsure, unread } = await placesOf(actor, isMember, deps);
  const { command } = deps.ports.settings.get();
  const now = time(deps.ports.clock.now().toISO(), 'time');
  const head =
    places.length === 0 && !unsure
      ? say`You may not do anything in the channels that Steward serves.`
      : say`What you may do, by channel. Type ${code(command)} there for its menu. What you press here is judged there; questions and answers come under Messages.`;
  const end = [
    ...(unread === 0
      ? []
      : [
          words(
            say`The rules name ${counted(unread, 'more channel')}: type ${code(command)} there.`,
          ),
        ]),
    ...(unsure ? [words(PERHAPS_MORE)] : []),
    context(
      toMrkdwn(say`As of ${now}. ${code(`${command} help`)} prints every command with an example.`),
    ),
  ];
  const start = [...requests, ...missing, words(head)];
  const room = BLOCKS - start.length - end.length - 2 * places.length;
  return [...start, ...placeBlocks(places, { room, command }), ...end];
}

async function requestBlocks(actor: Actor, deps: SlackDeps): Promise<readonly SlackBlock[]> {
  const { forMe, mine, unsure } = await waitingFor(deps.ports, actor);
  const all = code(`${deps.ports.settings.get().command} approvals`);
  const list = (title: Text, rows: readonly Row[], key: string): readonly SlackBlock[] => {
    if (rows.length === 0) return [];
    const left = rows.length - REQUESTS;
    return [
      words(title),
      ...rows.slice(0, REQUESTS).flatMap((row, index) => renderRow(row, look(`${key}${index}`))),
      ...(left > 0 ? [context(toMrkdwn(say`… and ${left} more, the oldest first: ${all}.`))] : []),
      { type: 'divider' },
    ];
  };
  const wait = forMe.length === 1 ? 'waits' : 'wait';
  const are = mine.length === 1 ? 'is' : 'are';
  return [
    ...list(
      say`${bold(`${counted(forMe.length, 'request')} ${wait} for you`)}`,
      forMe.map(rowForMe),
      'for-me-',
    ),
    ...list(
      say`${bold(`${counted(mine.length, 'request')} of yours ${are} open`)}`,
      mine.map(rowOfMine),
      'mine-',
    ),
    ...(unsure > 0 ? [words(unsureLine(unsure))] : []),
  ];
}

function look(key: string, as: RowLook['as'] = 'buttons'): RowLook {
  return { key, as, most: 3_000 };
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
    words(say`${bold('Not delivered')}: ${joinText(numbers, '; ')}. ${log} says what happened.`),
  ];
}

type HomePlace = {
  readonly channelId: string;
  readonly operations: readonly OperationInfo[];
  readonly rows: readonly Row[];
};

async function placesOf(
  actor: Actor,
  isMember: boolean,
  deps: SlackDeps,
): Promise<{
  readonly places: readonly HomePlace[];
  readonly unsure: boolean;
  /** Channels at which nobody looked any more. */
  readonly unread: number;
}> {
  const places: HomePlace[] = [];
  const offered = new Set<string>();
  const { channels } = deps.ports.settings.get();
  let perhapsMore = false;
  let read = 0;
  for (const { id: channelId } of channels) {
    if (places.length === CHANNELS) break;
    read += 1;
    const { operations, unsure } = await ownOffers(actor, channelId, deps);
    perhapsMore ||= unsure;
    if (operations.length === 0) continue;
    const all = isMember ? await rowsIn(channelId, actor, deps) : [];
    const rows = all.filter((row) => offersNew(row, offered));
    places.push({ channelId, operations, rows });
  }
  return { places, unsure: perhapsMore, unread: channels.length - read };
}

/** What an earlier channel offers already is not offered again: the same services are in many. */
function offersNew({ actions }: Row, offered: Set<string>): boolean {
  const keys = actions.flatMap(({ do: one }) =>
    one.kind === 'ask' ? [JSON.stringify([one.operation, one.input])] : [],
  );
  const isNew = keys.length === 0 || keys.some((key) => !offered.has(key));
  for (const key of keys) offered.add(key);
  return isNew;
}

/** Home has no channel: each button names the one in which it is judged. */
async function rowsIn(
  channelId: string,
  actor: Actor,
  { ports }: SlackDeps,
): Promise<readonly Row[]> {
  const here = { actor, place: { channelId } };
  const rows = await serviceRows(await visibleServices(ports, here), ports, here);
  return rows.map(({ text, actions }) => ({
    text,
    actions: actions.map((one) =>
      one.do.kind === 'ask' ? { ...one, do: { ...one.do, in: channelId } } : one,
    ),
  }));
}

/** `room`: blocks beside two for each channel, its line and what is left out of it. */
function placeBlocks(
  places: readonly HomePlace[],
  { room, command }: { readonly room: number; readonly command: string },
): readonly SlackBlock[] {
  const all = places.reduce((sum, { rows }) => sum + rows.length, 0);
  const as = all <= WITH_BUTTONS ? 'buttons' : 'menu';
  let free = as === 'buttons' ? Math.floor(room / 2) : room;
  return places.flatMap(({ channelId, operations, rows }) => {
    const shown = rows.slice(0, Math.min(SERVICES, free));
    free -= shown.length;
    const left = rows.length - shown.length;
    const names = operations.map(({ slash }) => slash.words.join(' ')).join(', ');
    const list = code(`${command} services`);
    return [
      section(cut(toMrkdwn(say`${channel(channelId)}: ${names}`), 3_000)),
      ...shown.flatMap((row, index) => renderRow(row, look(`${channelId}-${index}`, as))),
      ...(left > 0 ? [context(toMrkdwn(say`… and ${left} more services: ${list} there.`))] : []),
    ];
  });
}

function words(text: Text): SlackBlock {
  return section(cut(toMrkdwn(text), 3_000));
}
