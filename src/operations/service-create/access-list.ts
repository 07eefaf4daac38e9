import { z } from 'zod';
import type { IpAccessListEntry } from '../../core/cloud/service.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';

const MOST = 3_000;

/** What begins like an address, whether or not it is one that fits. */
const V4 = String.raw`\d+(?:\.\d+){3}(?:\/\d+)?|\d+(?:\.\d+){1,2}\/\d+`;
const V6 = String.raw`(?=[\da-f:.%]*::|(?:[\da-f]+:){3})[\da-f]*:[\da-f:.%/]*`;
const NEXT = String.raw`\s*(?:${V4}|${V6})`;
const BETWEEN = new RegExp(
  String.raw`\s*;\s*|\s*,\s*(?:and\s)?(?=${NEXT})|\s+and\s+(?=${NEXT})`,
  'iu',
);
const WITHIN = new RegExp(String.raw`(?<![\d.])(?:${V4})|(?<![\w:])(?:${V6})`, 'iu');
const RANGE = /^(\d+(?:\.\d+){3})\s*-\s*(\d+(?:\.\d+){3})(?![\d./])/u;

/**
 * Entries on lines of their own, or with `;`, `,` or "and" before the next address: an IPv4 address
 * or CIDR, then, if wanted, a description. A flag that was repeated comes as a list of such texts.
 * Entries are as they are sent, without host bits. Blank lines are skipped but counted, so that a
 * number in a message is the line that a person sees. Spec: IpAccessListEntry.
 */
export const accessList = z
  .union([z.string(), z.array(z.string())])
  .transform((typed) => (typeof typed === 'string' ? typed : typed.join('\n')))
  .pipe(z.string().max(MOST, `At most ${MOST} characters.`))
  .transform((text, context): readonly IpAccessListEntry[] => {
    const { entries, faults } = readAccessList(cleanTyped(text));
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

/** A list that is as good as open: how much of the internet it lets in, and by what. */
type Opening = { readonly who: string; readonly by: string | undefined };

/**
 * From half of the internet on a list is open, all entries together. `by` is the entry that lets
 * everybody in, or the only one. Undefined for a narrower list. A bare `0.0.0.0` is one address.
 */
export function openingOf(entries: readonly { readonly source: string }[]): Opening | undefined {
  const share = addressesIn(entries.flatMap(({ source }) => rangeOf(source) ?? [])) / ALL;
  if (share < 1 / 2) return undefined;
  const only = entries.length === 1 ? entries[0] : undefined;
  const all = entries.find(({ source }) => source.endsWith('/0'));
  return {
    who: share === 1 ? 'everybody' : `${Math.floor(share * 100)} % of the internet`,
    by: (all ?? only)?.source,
  };
}

type Reading = { readonly entries: IpAccessListEntry[]; readonly faults: string[] };

function readAccessList(text: string): Reading {
  const reading: Reading = { entries: [], faults: [] };
  const seenAt = new Map<string, string>();
  for (const { piece, where } of piecesOf(text)) {
    const [source = '', rest = ''] = splitOnce(piece);
    const range = rangeOf(source);
    const fault =
      range === undefined || WITHIN.test(rest) ? faultOf(piece, source, rest) : undefined;
    if (range === undefined || fault !== undefined) {
      reading.faults.push(`${where}: ${fault ?? FIRST}`);
      continue;
    }
    const sent = withoutHostBits(source, range);
    // One address is the same with and without its /32.
    const key = sent.replace(/\/32$/u, '');
    const first = seenAt.get(key);
    if (first !== undefined) {
      reading.faults.push(`${where}: ${sent} stands on ${first.toLowerCase()} already.`);
      continue;
    }
    seenAt.set(key, where);
    reading.entries.push(rest === '' ? { source: sent } : { source: sent, description: rest });
  }
  return reading;
}

/** `Line 2`, or `Line 2, entry 3` where a line has several. */
function piecesOf(text: string): readonly { readonly piece: string; readonly where: string }[] {
  return text.split('\n').flatMap((line, index) => {
    const pieces = line
      .replace(/\s+/gu, ' ')
      .split(BETWEEN)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
    return pieces.map((piece, at) => ({
      piece,
      where: `Line ${index + 1}${pieces.length > 1 ? `, entry ${at + 1}` : ''}`,
    }));
  });
}

/** The address, and the description without quotes around it or a comma before it. */
function splitOnce(piece: string): readonly [string, string] {
  const [, source = '', rest = ''] = /^([^\s,]*)[\s,]*(.*)$/su.exec(piece) ?? [];
  return [
    source,
    rest
      .replace(/^(["'`])(.*)\1$/su, '$2')
      .replace(/,$/u, '')
      .trim(),
  ];
}

const FIRST = 'an IPv4 address or CIDR comes first, as in 203.0.113.0/24 office.';

function faultOf(piece: string, source: string, rest: string): string {
  const [typed, from, to] = RANGE.exec(piece) ?? [];
  const [first, last] = [rangeOf(from ?? ''), rangeOf(to ?? '')];
  if (typed !== undefined && first !== undefined && last !== undefined) {
    return rangeFault(typed, { from: first.from, to: last.to });
  }
  if (rangeOf(source) === undefined) return FIRST;
  const found = WITHIN.exec(rest)?.[0] ?? '';
  return `${found} would be a part of the description of ${source}: give it an entry of its own.`;
}

function rangeFault(typed: string, range: Range): string {
  const cidr = cidrOf(range);
  const way = cidr === undefined ? 'write it as CIDRs' : `write ${cidr}`;
  return `a range cannot be sent; instead of ${typed} ${way}.`;
}

/** Addresses from the first to the last, both included, as whole numbers below 2^32. */
type Range = { readonly from: number; readonly to: number };

/** All addresses of IPv4. */
const ALL = 2 ** 32;

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
function withoutHostBits(source: string, { from }: Range): string {
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
