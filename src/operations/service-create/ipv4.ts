import { z } from 'zod';

/** Addresses from the first to the last, both included, as whole numbers below 2^32. */
export type Range = { readonly from: number; readonly to: number };

/** All addresses of IPv4. */
export const ALL = 2 ** 32;

const ipv4 = z.union([z.ipv4(), z.cidrv4()]);

/** An IPv4 address or CIDR without leading zeros; undefined for anything else. */
export function rangeOf(source: string): Range | undefined {
  if (!ipv4.safeParse(source).success) return undefined;
  const [address = '', prefix = '32'] = source.split('/');
  const size = 2 ** (32 - Number(prefix));
  const from = Math.floor(numberOf(address) / size) * size;
  return { from, to: from + size - 1 };
}

/** A CIDR without the bits of a host in it: `203.0.113.5/24` is `203.0.113.0/24`. */
export function withoutHostBits(source: string, { from }: Range): string {
  const [, prefix] = source.split('/');
  return prefix === undefined ? source : `${addressOf(from)}/${prefix}`;
}

/** The one CIDR that is exactly this range; undefined where there is none. */
export function cidrOf({ from, to }: Range): string | undefined {
  const size = to - from + 1;
  const bits = Math.log2(size);
  return size > 0 && Number.isInteger(bits) && from % size === 0
    ? `${addressOf(from)}/${32 - bits}`
    : undefined;
}

/** How many addresses several ranges have together, each counted once. */
export function addressesIn(ranges: readonly Range[]): number {
  let count = 0;
  let next = 0;
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    count += Math.max(0, to + 1 - Math.max(from, next));
    next = Math.max(next, to + 1);
  }
  return count;
}

function numberOf(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
}
