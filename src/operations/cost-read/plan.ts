import { z } from 'zod';
import type { CostRange } from '../../core/cloud/records.ts';
import { oneOf } from '../../core/operation/fields.ts';
import type { Context } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import {
  isProblem,
  type OrganizationRef,
  organizationField,
  resolveOrganization,
  resolveService,
} from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { bold, say } from '../../core/text/text.ts';
import { lengthOf, RANGE_WORDS, resolveRange } from '../../cost/book/range.ts';
import { type ScopeServices, servicesOf } from '../../cost/book/scope.ts';
import { GROUPINGS, type Grouping, LAST_SEVEN_DAYS, readCostRequest } from './cost-request.ts';

const CHOICES: Readonly<Record<Grouping, string>> = {
  service: 'Service',
  day: 'Day',
  metric: 'Metric',
  tag: 'Tag',
};

/** Nothing is required: bare `/db cost` is answered with the last seven days. */
export const input = z.strictObject({
  range: z
    .string()
    .trim()
    .max(200, 'At most 200 characters.')
    .transform((text, context) => {
      const asked = readCostRequest(text);
      if (!('fault' in asked)) return asked;
      context.addIssue({ code: 'custom', message: asked.fault });
      return z.NEVER;
    })
    .optional()
    .meta({
      field: {
        label: 'Range',
        placeholder: '7d',
        hint: 'yesterday, 7d, last-week, mtd, last-month, or UTC days as in 2026-11-01..2026-11-20. 7d if empty.',
      },
    }),
  organization: organizationField,
  service: z
    .string()
    .trim()
    .max(100, 'At most 100 characters.')
    .optional()
    .meta({
      field: { label: 'Service', widget: 'service', placeholder: 'All', hint: 'All if empty.' },
    }),
  /** What a summary covers, so that its button opens the same costs. */
  services: z
    .string()
    .trim()
    .max(2000, 'At most 2,000 characters.')
    .optional()
    .meta({
      field: { label: 'Services', slashOnly: true, hint: 'Several, as in tag:prod, analytics.' },
    }),
  by: oneOf(GROUPINGS)
    .optional()
    .meta({
      field: {
        label: 'Table by',
        choices: GROUPINGS.map((value) => ({ value, label: CHOICES[value] })),
        hint: 'By service if empty; of one service by day.',
      },
    }),
  csv: z
    .boolean()
    .optional()
    .meta({
      field: {
        label: 'File',
        widget: 'tick',
        placeholder: 'Every record as CSV',
      },
    }),
});

export type Plan = {
  readonly organization: OrganizationRef;
  readonly range: CostRange;
  /** What it is compared with; absent for a range so long that reading twice of it takes too long. */
  readonly before?: CostRange | undefined;
  /** Only this one. */
  readonly entry?: DirectoryEntry | undefined;
  /** Only these, in the words that were asked with. */
  readonly services?: string | undefined;
  /** What is shown, by service; none of these for the whole organization. */
  readonly entries: readonly DirectoryEntry[];
  readonly scope: ScopeServices;
  readonly by: Grouping;
  readonly csv: boolean;
};

/** Four months: 8 calls for both ranges together, of the 10 that a key has in 10 seconds. */
const MOST_COMPARED_DAYS = 124;

export async function planOf(
  typed: z.output<typeof input>,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const resolved = rangeOf(typed, ports);
  if ('problem' in resolved) return resolved;
  const beside = typed.range?.service;
  if (beside !== undefined && typed.service !== undefined) return twice(beside, typed.service);
  const isSeveral = beside !== undefined && /,|^tag:/u.test(beside);
  const named = isSeveral
    ? { ...typed, services: typed.services ?? beside }
    : { ...typed, service: typed.service ?? beside };
  const scope = await scopeOf(named, ports, context);
  if ('problem' in scope && beside !== undefined && scope.suggestion === undefined) {
    return {
      field: 'range',
      problem: say`${bold(beside)} is neither a service nor a range. ${RANGE_WORDS}`,
    };
  }
  if ('problem' in scope) return scope;
  const { range, before } = resolved;
  return {
    ...scope,
    range,
    by: typed.by ?? typed.range?.by ?? groupingOf(scope, range),
    csv: typed.csv === true,
    before: lengthOf(range) > MOST_COMPARED_DAYS ? undefined : before,
  };
}

function twice(beside: string, service: string): Problem {
  return {
    field: 'service',
    problem: say`Two services are named: ${bold(beside)} and ${bold(service)}. Keep one.`,
  };
}

/** One service in rows of services would be one row. */
function groupingOf({ entry }: Pick<Plan, 'entry'>, range: CostRange): Grouping {
  if (entry === undefined) return 'service';
  return lengthOf(range) === 1 ? 'metric' : 'day';
}

function rangeOf({ range }: z.output<typeof input>, { clock }: Pick<ReadPorts, 'clock'>) {
  const resolved = resolveRange(range?.spec ?? LAST_SEVEN_DAYS, clock.now());
  return 'fault' in resolved ? { field: 'range', problem: say`${resolved.fault}` } : resolved;
}

type Scoped = Pick<Plan, 'organization' | 'entry' | 'services' | 'entries' | 'scope'>;

async function scopeOf(
  { range, service, services, by, csv, organization }: z.output<typeof input>,
  ports: ReadPorts,
  context: Context,
): Promise<Scoped | Problem> {
  if (service === undefined || service === '') {
    const ref = resolveOrganization(organization, ports);
    return 'problem' in ref ? ref : await severalOf(services, ref, ports);
  }
  const raw = { range: range?.text, service, by: by ?? range?.by, csv, organization };
  const about = { raw, field: 'service' };
  const entry = await resolveService(service, about, ports, context);
  if (isProblem(entry)) return entry;
  const own = resolveOrganization(entry.organization, ports);
  if ('problem' in own) return own;
  const typed = organization === undefined ? own : resolveOrganization(organization, ports);
  if ('problem' in typed) return typed;
  if (typed.key === own.key) {
    const scope = new Set([entry.id.toLowerCase()]);
    return { organization: own, entry, entries: [entry], scope };
  }
  return {
    field: 'organization',
    problem: say`${bold(entry.name)} belongs to the organization ${bold(own.key)}.`,
  };
}

/** Several services, each of which is judged; one that nobody has heard of asks for the whole. */
async function severalOf(
  services: string | undefined,
  organization: OrganizationRef,
  { directory }: Pick<ReadPorts, 'directory'>,
): Promise<Scoped | Problem> {
  const whole = { organization, entries: [], scope: 'all' } as const;
  const selectors = (services ?? '').split(',').map((one) => one.trim());
  const named = selectors.filter((one) => one !== '');
  if (named.length === 0) return whole;
  const known = await directory.list();
  const scope = servicesOf(named, known, organization.key);
  if (scope === 'all') return whole;
  const entries = known.filter(
    (entry) => entry.organization === organization.key && scope.has(entry.id.toLowerCase()),
  );
  if (scope.size === 0) {
    return { field: 'services', problem: say`No service is ${bold(named.join(', '))}.` };
  }
  const isAllKnown = entries.length === scope.size;
  return { organization, services: named.join(', '), entries: isAllKnown ? entries : [], scope };
}
