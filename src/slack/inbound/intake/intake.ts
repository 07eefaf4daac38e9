import { toAppError } from '../../../core/cloud/errors.ts';
import { refuseFlood } from '../../../core/pipeline/flood.ts';
import type { JournalOpening, OpenEntry } from '../../../core/ports/journal.ts';
import { channelOf } from '../../../core/ports/ports.ts';
import { say, type Text } from '../../../core/text/text.ts';
import { answerToOf, type SlackDeps } from '../../outbound/deps.ts';
import type { Reply } from '../../outbound/replies.ts';
import { type Answer, showsWords, wordsIn } from './acknowledge.ts';
import type { PayloadKind } from './payloads.ts';

/** A payload as it came, before anything was looked up. */
export type Arrival = {
  readonly kind: PayloadKind;
  readonly body: unknown;
  readonly answer: Answer;
  readonly reply: Reply;
  /** What the payload alone says of it. */
  readonly opening: JournalOpening;
  /** By what a repeat is known. */
  readonly delivery: string;
  /** Whether `opening` says all that is asked for. */
  readonly whole: boolean;
  /** A press or a form before commands; a form acknowledges itself, with its complaints. */
  readonly answersItself?: boolean | undefined;
};

/** The shape of our own ids: what else stands in their place may be anything, and is not kept. */
const OWN_ID = /^[\w-]{22}$/u;

/** Which question is answered, as the journal may keep it before anybody looked at it. */
export function questionIn(
  key: 'pending' | 'deny',
  id: string,
  { holdsSecret }: Pick<SlackDeps, 'holdsSecret'>,
): Readonly<Record<string, string>> {
  return OWN_ID.test(id) && holdsSecret?.(id) !== true ? { [key]: id } : {};
}

/** Slack waits for 3 s; so long the database has. */
const WITHIN_MS = 2_000;

const BUSY = say`Steward is busy: nothing was done. Try again in a moment.`;
export const UNRECORDED = say`Nothing was done: Steward cannot reach its own records now. Try again in a minute.`;

/**
 * Acknowledges a payload once a durable row says that it came, and never later than two seconds; then
 * it is worked on in its turn. A repeat is acknowledged and passed over. Nothing else stands between
 * arrival and acknowledgement. Throws nothing of the database's. Design: §10.
 */
export async function receive(
  arrival: Arrival,
  work: (reply: Reply) => Promise<void>,
): Promise<void> {
  const { reply, answer, answersItself } = arrival;
  const { deps } = reply;
  const refusal = deps.queue.isFull() ? BUSY : await floodOf(arrival);
  if (refusal !== undefined) return await refuse(arrival, refusal);
  const entry = await opened(arrival);
  if (entry === 'repeat') return await answer.give();
  if (entry === undefined) return await refuse(arrival, UNRECORDED);
  if (answersItself !== true) await answer.give();
  await deps.track(deps.queue.add(() => run(entry, arrival, work), priorityOf(arrival)));
}

/** Somebody waits at an open form or an open question. */
function priorityOf({ kind }: Arrival): number {
  return kind === 'slash_command' || kind === 'event_callback' ? 0 : 1;
}

async function floodOf({ reply, opening }: Arrival): Promise<Text | undefined> {
  const { actor, operation, origin } = opening;
  const channelId = origin === 'button' ? undefined : channelOf(reply.place);
  // Its row of the minute is no condition of the refusal.
  try {
    const flooded = await refuseFlood({ operation, actor, origin, channelId }, reply.deps);
    return flooded?.text;
  } catch {
    return UNRECORDED;
  }
}

/** Undefined where the database did not answer in time: what it does later is closed as not run. */
async function opened(arrival: Arrival): Promise<OpenEntry | 'repeat' | undefined> {
  const { deps } = arrival.reply;
  const stop = new AbortController();
  const late = deps.clock.sleep(WITHIN_MS, stop.signal).then(
    () => undefined,
    () => undefined,
  );
  const answerTo = answerToOf(arrival.reply);
  const row = deps.journal.receive({ ...arrival.opening, answerTo }, arrival.delivery);
  try {
    const first = await Promise.race([row, late]);
    if (first === undefined) void deps.track(notRun(row, deps));
    return first;
  } catch (thrown) {
    const { code, cause } = toAppError(thrown);
    deps.logger.error({ code, cause }, 'a payload could not be recorded');
    return undefined;
  } finally {
    stop.abort();
  }
}

async function notRun(row: Promise<OpenEntry | 'repeat'>, { journal, logger }: SlackDeps) {
  try {
    const entry = await row;
    if (entry === 'repeat') return;
    await journal.close(entry, { outcome: 'failed', detail: 'recorded too late, so not run' });
  } catch (cause) {
    logger.error({ cause }, 'a payload could not be recorded');
  }
}

async function refuse({ kind, body, answer, reply }: Arrival, words: Text): Promise<void> {
  await answer.give(wordsIn(kind, words, body));
  if (showsWords(kind)) return;
  try {
    await reply.tell(words);
  } catch (cause) {
    reply.deps.logger.info({ kind, cause }, 'a refusal was not told');
  }
}

/** The row is closed whatever happens. */
async function run(
  entry: OpenEntry,
  { reply, whole }: Arrival,
  work: (reply: Reply) => Promise<void>,
): Promise<void> {
  const received = { entry, whole, closed: false };
  try {
    await work(reply.to({ ...reply, received }));
  } finally {
    if (!received.closed) {
      const closing = { outcome: 'failed', detail: 'nothing came of it' } as const;
      await reply.deps.journal.close(entry, closing);
    }
  }
}
