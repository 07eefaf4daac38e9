import type { ChannelCard } from '../../core/card/card.ts';
import type { JournalEntry } from '../../core/ports/journal.ts';
import { bold, code, joinText, say, user } from '../../core/text/text.ts';
import { postTo, tellText } from './deliver.ts';
import type { SlackDeps } from './deps.ts';

/**
 * Tells of each operation that a crash interrupted: its outcome is unknown and it is not repeated.
 * In the channel where it was asked for, else to the person, and in the audit channel. Design: §1.
 */
export async function reportInterrupted(
  entries: readonly JournalEntry[],
  deps: SlackDeps,
): Promise<void> {
  const audit = deps.settings.get().audit.channel;
  for (const entry of entries) {
    const card = interruptedCard(entry);
    const channels = new Set([entry.channelId, audit].filter((id) => id !== undefined));
    try {
      for (const channelId of channels) await postTo(channelId, card, deps);
      if (channels.size === 0) {
        await tellText(card.headline, { actor: entry.actor, place: 'home' }, deps);
      }
    } catch (cause) {
      deps.logger.error({ reference: entry.reference, cause }, 'an unknown outcome was not told');
    }
  }
}

function interruptedCard(entry: JournalEntry): ChannelCard {
  const names = joinText(
    entry.targets.map(({ name }) => bold(name)),
    ', ',
  );
  const on = entry.targets.length === 0 ? [] : say` on ${names}`;
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`Outcome unknown: ${code(entry.operation)}${on}, asked by ${user(entry.actor.userId)}, was interrupted by a restart of Steward. It was not sent again. Check the console before trying again. Reference ${code(entry.reference)}.`,
    details: [{ label: 'Journal', value: say`${entry.number}` }],
  };
}
