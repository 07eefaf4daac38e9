import { z } from 'zod';
import { SERVICE_RULES } from '../../core/cloud/service-rules.ts';
import { openingOf } from './access-list.ts';
import { serviceForm } from './fields.ts';

const typedFields = z.strictObject(serviceForm);

export type ServiceInput = z.output<typeof typedFields>;

/** Every request field of the specification, and the rules between them. Spec: Service, column Q. */
export const serviceInput = typedFields.superRefine(
  (typed, context) => {
    const faults = SERVICE_RULES.map(({ field, fault }) => [field, fault(typed)?.form] as const);
    for (const [field, message] of [...faults, ['anywhere', anywhereFault(typed)] as const]) {
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
    }
  },
  // All that does not fit is told at once, not one round of fields after the other: so what is
  // typed may lack fields, or hold them as they were typed.
  { when: () => true },
);

function anywhereFault({ ipAccessList, anywhere }: Partial<ServiceInput>): string | undefined {
  if (anywhere === true || !Array.isArray(ipAccessList)) return undefined;
  const open = openingOf(ipAccessList.filter(isEntry));
  if (open === undefined) return undefined;
  const list = open.by === undefined ? 'All entries together let' : `${open.by} lets`;
  return `${list} ${open.who} in: tick this, or list narrower addresses.`;
}

/** A repeated flag that does not fit is still the texts as they were typed. */
function isEntry(entry: unknown): entry is { readonly source: string } {
  return typeof entry === 'object' && entry !== null && 'source' in entry;
}
