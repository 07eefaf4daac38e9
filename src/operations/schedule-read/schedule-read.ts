import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import { channelOf } from '../../core/ports/ports.ts';
import type { ComingNight } from '../../core/ports/sleep.ts';
import { bold, channel, code, joinText, say, type Text, time, user } from '../../core/text/text.ts';

type Plan = { readonly channelId: string };

const DAYS = 7;
const SHOWN = 40;
const NAMED = 5;

/** `/db schedule`: what will stop and start here in the next seven days, a line each. Design: §15. */
export const scheduleRead = defineOperation({
  id: 'schedule.read',
  summary: 'Show what stops and starts here in the next 7 days',
  title: 'Schedules',
  risk: 'read',
  slash: { words: ['schedule'], positional: [], examples: ['schedule'] },
  input: z.strictObject({}),
  refused: () => say`The schedules were not shown`,
  plan: async (_typed, _ports, { place }): Promise<Plan | Problem> => {
    const channelId = channelOf(place);
    if (channelId !== undefined) return { channelId };
    return { field: 'channel', problem: say`Schedules belong to a channel: ask there.` };
  },
  targets: () => [],
  execute: async ({ channelId }: Plan, { sleeps }) => ({
    result: await sleeps.coming(channelId, DAYS),
  }),
  present: (nights, { channelId }) => present(nights, channelId),
});

function present(nights: readonly ComingNight[], channelId: string): Card {
  const more = nights.length - SHOWN;
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline:
      nights.length === 0
        ? say`Nothing stops or starts by a schedule in ${channel(channelId)} in the next ${DAYS} days.`
        : say`In ${channel(channelId)}, in the next ${DAYS} days:`,
    lines: [...nights.slice(0, SHOWN).map(lineOf), ...(more > 0 ? [say`… and ${more} more.`] : [])],
    context: say`${code('schedule pause NAME until mon')} and ${code('schedule resume NAME')} change it; ${code('sleep scratch tonight 20:00')} sets one night.`,
  };
}

function lineOf({ schedule, stopAt, startAt, services, owner, off }: ComingNight): Text {
  const who = owner === undefined ? say`${bold(schedule)}` : say`set by ${user(owner)}`;
  const shown = joinText(services.slice(0, NAMED).map(bold), ', ');
  const more = services.length > NAMED ? ` and ${services.length - NAMED} more` : '';
  const end = startAt === undefined ? [] : say`, starts ${time(startAt)}`;
  const not = off === undefined ? [] : say` (${off})`;
  return say`• ${shown}${more}: stops ${time(stopAt)}${end}, ${who}${not}`;
}
