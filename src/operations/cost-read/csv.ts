import { stringify } from 'csv-stringify/sync';
import type { CardFile } from '../../core/card/card.ts';
import type { CostRecord } from '../../core/cloud/records.ts';
import { type Figures, recordsOf } from './figures.ts';
import type { Plan } from './plan.ts';

const COLUMNS = [
  'date',
  'organization',
  'entityId',
  'entityName',
  'entityType',
  'serviceId',
  'dataWarehouseId',
  'locked',
  'totalUnits',
] as const;

/** One row for each record, numbers as the API sent them, every metric that occurs as a column. */
export function fileOf(figures: Figures, plan: Plan): CardFile {
  const { organization, range, entry } = plan;
  const records = recordsOf(figures);
  const metrics = [...new Set(records.flatMap((record) => Object.keys(record.metrics)))].sort();
  const rows = records.map((record) => rowOf(record, organization.key, metrics));
  const name = ['costs', entry?.name ?? organization.key, range.from, range.to].join('-');
  return {
    name: `${name.replace(/[^\w.-]+/gu, '_')}.csv`,
    title: `Costs ${range.from} to ${range.to} (UTC)`,
    content: stringify([[...COLUMNS, ...metrics.map(harmless)], ...rows]),
  };
}

function rowOf(record: CostRecord, organization: string, metrics: readonly string[]) {
  return [
    harmless(record.date),
    harmless(organization),
    harmless(record.entityId),
    harmless(record.entityName),
    harmless(record.entityType),
    harmless(record.serviceId),
    harmless(record.dataWarehouseId),
    String(record.locked),
    String(record.totalUnits),
    ...metrics.map((metric) => {
      const units = Object.hasOwn(record.metrics, metric) ? record.metrics[metric] : undefined;
      return units === undefined ? '' : String(units);
    }),
  ];
}

/** A name from outside must not become a formula where the file is opened, in any locale. */
function harmless(text: string | undefined): string {
  return text !== undefined && /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r])/u.test(text)
    ? `'${text}`
    : (text ?? '');
}
