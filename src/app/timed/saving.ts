/** What a night is expected to save, by what is stored of costs and by the ledger of sleeps. */
import { shiftDay } from '../../core/ports/costs.ts';
import type { JournalReads } from '../../core/ports/journal.ts';
import type { NightPlan, SleepLedger } from '../../core/ports/sleep.ts';
import { groupsOf } from '../../cost/book/groups.ts';
import { indexCosts } from '../../cost/book/index-of-costs.ts';
import type { BackfillingCostReader } from '../../cost/read/reader.ts';
import { expectedSaving, HISTORY_DAYS } from '../../cost/summary/slept.ts';
import { stoppedBetween } from './stopped.ts';

type SavingDeps = {
  readonly costs: Pick<BackfillingCostReader, 'kept'>;
  readonly ledger: Pick<SleepLedger, 'slept'>;
  readonly journal: Pick<JournalReads, 'find'>;
};

/** Cost units by service id, where the data carries them. Throws AppError `storage`. Design: §15. */
export async function expectedOf(
  { services, stopAt, startAt }: NightPlan,
  { costs, ledger, journal }: SavingDeps,
): Promise<Readonly<Record<string, number>>> {
  if (startAt === undefined) return {};
  const day = stopAt.slice(0, 10);
  const range = { from: shiftDay(day, -HISTORY_DAYS), to: shiftDay(day, -1) };
  const ids = services.map(({ id }) => id);
  const spans = [
    ...(await ledger.slept(range.from, day)),
    ...(await stoppedBetween(ids, { from: range.from, to: day }, journal)),
  ];
  const organizations = [...new Set(services.map(({ organization }) => organization))];
  const found = await Promise.all(
    organizations.map(async (organization) => {
      const index = indexCosts(await costs.kept(organization, range));
      const groups = groupsOf(index, index.entities, []);
      return services
        .filter((service) => service.organization === organization)
        .flatMap(({ id }): readonly (readonly [string, number])[] => {
          const span = { service: id, from: stopAt, to: startAt };
          const units = expectedSaving(span, spans, { index, groups });
          return units === undefined ? [] : [[id, units]];
        });
    }),
  );
  return Object.fromEntries(found.flat());
}
