import { DateTime } from 'luxon';
import { glimpse } from '../../core/operation/glimpse.ts';
import type { Context } from '../../core/operation/operation.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { agoText } from '../../core/operation/repeats.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { say, type Text, time } from '../../core/text/text.ts';

/**
 * `Last backup: 7 hours ago, 28 Nov 03:11.`, of those that are done, before somebody stops the
 * service. Undefined where there is none, or nobody could see. Spec: Sight.
 */
export async function lastBackup(
  { organization, id }: DirectoryEntry,
  ports: Pick<ReadPorts, 'sights' | 'clock'>,
  context: Context,
): Promise<Text | undefined> {
  const backups = await glimpse(
    { organization, of: 'question', look: (sight, call) => sight.backups(id, call) },
    ports,
    context,
  );
  const ends = (backups ?? [])
    .filter(({ status }) => status === 'done')
    .map(({ startedAt = '', finishedAt = startedAt }) => DateTime.fromISO(finishedAt).toUTC());
  const at = DateTime.max(...ends.filter((end) => end.isValid))?.toISO();
  return at == null ? undefined : say`Last backup: ${agoText(at, ports.clock.now())}, ${time(at)}.`;
}
