import { badField } from '../refusal.ts';
import type { Service } from '../state/model.ts';

const FILTER = /^tag:([^=]+)(?:=(.*))?$/;

/** Whether a service has each of these tags: `tag:team=data`, or `tag:team` with any value. */
export function hasTags(service: Service, filters: readonly string[]): boolean {
  return filters.every((filter) => {
    const [, key, value] = FILTER.exec(filter) ?? [];
    if (key === undefined) throw badField('filter', 'must be a tag, such as tag:team=data');
    return (service.fields.tags ?? []).some(
      (tag) => tag.key === key && (value === undefined || tag.value === value),
    );
  });
}
