import { z } from 'zod';
import type { AnswerTo } from '../../core/ports/outbox.ts';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { OutboxOwner } from '../outbox-rows.ts';
import { seal, unseal } from '../seal.ts';

const answers = z.object({
  responseUrl: z.string().exactOptional(),
  pressed: z
    .object({ ephemeral: z.boolean(), channelId: z.string(), ts: z.string().exactOptional() })
    .exactOptional(),
});

/** Whoever has a response URL can write there: it is never kept as it is. */
export function sealAnswer(
  entry: number,
  answerTo: AnswerTo | undefined,
  { key }: OutboxOwner,
): string | null {
  if (answerTo === undefined) return null;
  return seal(key, contextOf(entry), canonicalJson(answerTo));
}

export function unsealAnswer(
  entry: number,
  sealed: string | null,
  { key }: OutboxOwner,
): AnswerTo | undefined {
  const text = sealed === null ? undefined : unseal(key, contextOf(entry), sealed);
  return text === undefined ? undefined : answers.safeParse(parseJson(text)).data;
}

function contextOf(entry: number): string {
  return `answer_to|${entry}`;
}
