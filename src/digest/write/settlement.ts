import type { ChannelCard } from '../../core/card/card.ts';
import { say, type Text } from '../../core/text/text.ts';
import { signedText, unitsText } from '../../cost/book/units.ts';
import { type Snapshot, settlementOf } from './snapshot.ts';

const MOST_NAMED = 5;

/** The reply in the thread once the numbers are final. `period`: `26 Nov`. */
export function settlementCard(
  period: string,
  before: Snapshot | undefined,
  after: Snapshot,
): ChannelCard {
  return { audience: 'channel', tone: 'plain', headline: settlementText(period, before, after) };
}

function settlementText(period: string, before: Snapshot | undefined, after: Snapshot): Text {
  if (before?.units === undefined) {
    const units =
      after.units === undefined ? 'nothing reported' : `${unitsText(after.units)} units`;
    return say`Final for ${period}: ${units}; there was no number before.`;
  }
  const { deltaUnits, entities } = settlementOf(before, after);
  if (deltaUnits === 0 && entities.length === 0) return say`Final for ${period}: unchanged.`;
  const names = entities
    .slice(0, MOST_NAMED)
    .map((entity) => `${entity.name.slice(0, 60)} ${signedText(entity.deltaUnits)}`);
  const more = entities.length - names.length;
  if (more > 0) names.push(`${more} more`);
  return say`Final for ${period}: ${signedText(deltaUnits)} units (${names.join(', ')}).`;
}
