import type { Card, ChannelCard } from '../../core/card/card.ts';
import type { SmallMemory } from '../../core/ports/stores.ts';
import type { Message } from '../render/blocks.ts';
import { type Rendered, renderCard } from '../render/render.ts';
import type { Richness } from '../render/tables.ts';
import { slackErrorOf } from '../web/slack-failure.ts';
import type { Posted, PostOptions } from '../web/web.ts';
import type { PostingDeps, RichnessMemory } from './deps.ts';

/** Errors after which plainer blocks are worth a try. */
const TOO_RICH = new Set(['invalid_blocks', 'msg_blocks_too_long', 'invalid_arguments']);

function isTooRich(error: string | undefined): boolean {
  return error !== undefined && TOO_RICH.has(error);
}

/** In a channel by id, outside any payload: the audit channel, schedules. Throws AppError `slack`. */
export async function postTo(
  channelId: string,
  card: ChannelCard,
  deps: PostingDeps,
  options: PostOptions = {},
): Promise<Posted> {
  return await withRichness(card, deps, async ({ main, thread }) => {
    const posted = await deps.web.post(channelId, main, options);
    if (thread !== undefined) {
      await deps.web.post(channelId, thread, { threadTs: options.threadTs ?? posted.ts });
    }
    return posted;
  });
}

/** A message in a channel moves on; details are added to its thread. */
export async function updateCard(
  posted: Posted,
  card: ChannelCard,
  deps: PostingDeps,
): Promise<void> {
  await withRichness(card, deps, async ({ main, thread }) => {
    await deps.web.update(posted.channelId, posted.ts, main);
    if (thread !== undefined) {
      await deps.web.post(posted.channelId, thread, { threadTs: posted.ts });
    }
  });
}

/** Tries plainer blocks when the workspace refuses richer ones, and remembers it. Design: §9. */
export async function withRichness<T>(
  card: Card,
  deps: PostingDeps,
  send: (rendered: Rendered) => Promise<T>,
): Promise<T> {
  let richness: Richness = await deps.richness.get();
  for (;;) {
    try {
      return await send(scrubbed(renderCard(card, richness), deps));
    } catch (thrown) {
      const isRich = card.table !== undefined || card.chart !== undefined;
      if (!isRich || richness === 'text' || !isTooRich(slackErrorOf(thrown))) {
        // Without an answer it may stand there: it is not sent again in plainer blocks.
        throw thrown;
      }
      richness = await deps.richness.lower(richness);
    }
  }
}

function scrubbed({ main, thread }: Rendered, deps: PostingDeps): Rendered {
  return { main: scrubMessage(main, deps), thread: thread && scrubMessage(thread, deps) };
}

function scrubMessage(message: Message, deps: PostingDeps): Message {
  return JSON.parse(deps.scrub(JSON.stringify(message))) as Message;
}

const KEY = 'slack.richness';
const NEXT = { native: 'table', table: 'text', text: 'text' } as const;

/** Which blocks this workspace takes, kept in the database so that it is asked once. Design: §9. */
export function createRichnessMemory(memory: SmallMemory): RichnessMemory {
  let known: Richness | undefined;
  return {
    // Where the database does not answer, people are told all the same.
    get: async () => {
      known ??= asRichness(await memory.get(KEY).catch(() => undefined));
      return known;
    },
    lower: async (from) => {
      known = NEXT[from];
      await memory.set(KEY, known).catch(() => undefined);
      return known;
    },
  };
}

function asRichness(value: unknown): Richness {
  return value === 'table' || value === 'text' ? value : 'native';
}
