import type { DigestDraft, DigestEntry } from '../../core/ports/digests.ts';
import type { DigestRunnerOptions, RunnerMemory } from './parts.ts';

/** Records become locked in days: once an hour is often enough. */
const EVERY_MS = 3_600_000;
/** Older days are not read again, so they never change. */
const FOR_DAYS = 31;

/**
 * Messages without numbers get them as soon as there are some; provisional ones become final when
 * all their records are locked, and the thread says what changed. Design: §9.
 */
export async function finaliseProvisional(
  options: DigestRunnerOptions,
  memory: RunnerMemory,
): Promise<void> {
  const { clock, ledger, writer } = options;
  const now = clock.now();
  const isTime = now.toMillis() - memory.settledAt >= EVERY_MS;
  if (isTime) memory.settledAt = now.toMillis();
  const since = now.minus({ days: FOR_DAYS }).toFormat('yyyy-MM-dd');
  const open = (await ledger.notFinal()).filter(
    (entry) => entry.day >= since && (isTime || isUrgent(entry, writer)),
  );
  for (const organization of new Set(open.map((entry) => entry.organization))) {
    await updateAll(
      options,
      open.filter((entry) => entry.organization === organization),
    );
  }
}

/** It says that there are no numbers, or was found after a crash and says who knows what. */
function isUrgent({ snapshot }: DigestEntry, writer: DigestRunnerOptions['writer']): boolean {
  return writer.isWithoutData(snapshot);
}

async function updateAll(
  options: DigestRunnerOptions,
  entries: readonly DigestEntry[],
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const all = await options.schedules.list();
  const requests = entries.map((entry) => {
    const digest = all.find(({ channel }) => channel === entry.channel)?.digest;
    return { key: entry, digest: digest ?? { services: ['*'] }, before: entry.snapshot };
  });
  const drafts = await options.writer.write(first.organization, requests);
  for (const [index, entry] of entries.entries()) {
    const draft = drafts[index];
    if (draft !== undefined) await update(options, entry, draft);
  }
}

async function update(
  options: DigestRunnerOptions,
  entry: DigestEntry,
  draft: DigestDraft,
): Promise<void> {
  const { ledger, poster, writer } = options;
  const { ts, channel } = entry;
  const isWorthPosting = draft.state === 'final' || writer.isWithoutData(entry.snapshot);
  if (ts === undefined || draft.state === 'no-data' || !isWorthPosting) return;
  const message = { channel, ts };
  const updated = await poster.update(message, draft.card);
  if (updated === 'failed') return;
  if (draft.state === 'provisional') {
    await ledger.posted(entry, { ts, snapshot: draft.snapshot });
    return;
  }
  const reply =
    updated === 'gone'
      ? []
      : [poster.reply(message, writer.finalReply(entry.snapshot, draft, entry))];
  // Whoever wins this says it; the update itself may be done twice without harm.
  if (await ledger.finalised(entry, draft.snapshot, reply)) await poster.deliver(reply);
}
