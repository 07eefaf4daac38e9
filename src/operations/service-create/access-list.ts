import { z } from 'zod';
import type { IpAccessListEntry } from '../../core/resources.ts';

const address = z.union([z.ipv4(), z.cidrv4()]);

/**
 * One entry a line: an IPv4 address or CIDR, then, if wanted, a description. Blank lines are
 * skipped but counted, so that a number in a message is the line that a person sees.
 * Spec: IpAccessListEntry.
 */
export const accessList = z
  .string()
  .max(3_000, 'At most 3000 characters.')
  .transform((text, context): readonly IpAccessListEntry[] => {
    const { entries, faults } = readAccessList(text);
    if (entries.length === 0 && faults.length === 0) faults.push('At least one address.');
    if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join(' ') });
    return entries;
  });

/** The way `accessList` reads it. */
export function writeAccessList(entries: readonly IpAccessListEntry[]): string {
  return entries
    .map(({ source, description }) => `${source} ${description ?? ''}`.trim())
    .join('\n');
}

/**
 * Whether an entry lets everybody in. Half of the internet counts as well: two halves are all of
 * it. A bare `0.0.0.0` is one address.
 */
export function isAnywhere({ source }: IpAccessListEntry): boolean {
  return /\/[01]$/u.test(source);
}

type Reading = { readonly entries: IpAccessListEntry[]; readonly faults: string[] };

function readAccessList(text: string): Reading {
  const reading: Reading = { entries: [], faults: [] };
  const seenAt = new Map<string, number>();
  text.split('\n').forEach((line, index) => {
    const [source = '', ...words] = line.trim().split(/\s+/u);
    if (source === '') return;
    const first = seenAt.get(source);
    if (!address.safeParse(source).success) {
      reading.faults.push(
        `Line ${index + 1}: an IPv4 address or CIDR comes first, as in 203.0.113.0/24 office.`,
      );
    } else if (first !== undefined) {
      reading.faults.push(`Line ${index + 1}: ${source} stands on line ${first} already.`);
    } else {
      seenAt.set(source, index + 1);
      const description = words.join(' ');
      reading.entries.push(description === '' ? { source } : { source, description });
    }
  });
  return reading;
}
