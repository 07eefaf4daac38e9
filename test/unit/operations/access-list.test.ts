import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSlash } from '../../../src/core/slash/slash.ts';
import {
  accessList,
  addressesIn,
  cidrOf,
  openingOf,
  rangeOf,
  writeAccessList,
} from '../../../src/operations/service-create/access-list.ts';
import { serviceCreate } from '../../../src/operations/service-create/service-create.ts';

const OFFICE = { source: '203.0.113.0/24', description: 'office' };
const HOME = { source: '198.51.100.7/32', description: 'home' };
const RUNS = { seed: 20_261_127, numRuns: 400 };

function faultOf(typed: unknown): string {
  const read = accessList.safeParse(typed);
  return read.success ? '' : read.error.issues.map(({ message }) => message).join(' ');
}

/** The list as it would be sent, from a whole command. */
function sentBy(flags: string): unknown {
  const reading = readSlash(`create reporting2 ${flags}`, [serviceCreate]);
  if (reading.kind !== 'operation') throw new TypeError(flags);
  expect(reading).toMatchObject({ issues: [], raw: { name: 'reporting2' } });
  return accessList.parse(reading.raw['ipAccessList']);
}

describe('every way to write two entries', () => {
  it.each([
    '--ip-access-list "203.0.113.0/24 office, 198.51.100.7/32 home"',
    '--ip-access-list "203.0.113.0/24 office,198.51.100.7/32 home"',
    '--ip-access-list "203.0.113.0/24 office; 198.51.100.7/32 home"',
    '--ip-access-list "203.0.113.0/24 office and 198.51.100.7/32 home"',
    '--ip-access-list "203.0.113.0/24 office, and 198.51.100.7/32 home;"',
    '--ip-access-list "203.0.113.0/24 office\n198.51.100.7/32 home"',
    '--ip-access-list 203.0.113.0/24 office, 198.51.100.7/32 home',
    '--ip-access-list 203.0.113.0/24 office --ip-access-list 198.51.100.7/32 home',
    '--ip-access-list="203.0.113.0/24 office" —ip-access-list=`198.51.100.7/32 home`',
    '--ip-access-list 203.0.113.0/24 "office" and 198.51.100.7/32, home',
    '--ip-access-list <http://203.0.113.0/24|203.0.113.0/24> office; 198.51.100.7/32 home',
    '--ip-access-list "203.0.113.77/24 office, 198.51.100.7/32 home"',
  ])('sends both: %s', (flags) => {
    expect(sentBy(flags)).toEqual([OFFICE, HOME]);
  });

  it.each<[string, object[]]>([
    [
      '203.0.113.0/24 Berlin and Paris, floor 2',
      [{ source: '203.0.113.0/24', description: 'Berlin and Paris, floor 2' }],
    ],
    ['10.0.0.1,10.0.0.2', [{ source: '10.0.0.1' }, { source: '10.0.0.2' }]],
    ['10.0.0.1 v 1.5 of 3', [{ source: '10.0.0.1', description: 'v 1.5 of 3' }]],
    ['10.0.0.1 from 10:30 on', [{ source: '10.0.0.1', description: 'from 10:30 on' }]],
    ['10.0.0.9/0', [{ source: '0.0.0.0/0' }]],
    ['10.1.2.3/9', [{ source: '10.0.0.0/9' }]],
    ['198.51.100.7', [{ source: '198.51.100.7' }]],
    ['198.51.100.7/32', [{ source: '198.51.100.7/32' }]],
    [
      '10.0.0.1 B\u00fcro \u2013\u00a0Nord\u200b',
      [{ source: '10.0.0.1', description: 'B\u00fcro - Nord' }],
    ],
  ])('%j is read as it is sent', (typed, sent) => {
    expect(accessList.parse(typed)).toEqual(sent);
  });
});

describe('what is not one entry', () => {
  const FIRST = 'an IPv4 address or CIDR comes first, as in 203.0.113.0/24 office.';
  it.each<[string, string]>([
    [
      '10.0.0.0 - 10.0.0.255',
      'a range cannot be sent; instead of 10.0.0.0 - 10.0.0.255 write 10.0.0.0/24.',
    ],
    [
      '10.0.0.0-10.0.0.255 lab',
      'a range cannot be sent; instead of 10.0.0.0-10.0.0.255 write 10.0.0.0/24.',
    ],
    [
      '10.0.0.0–10.0.0.255',
      'a range cannot be sent; instead of 10.0.0.0-10.0.0.255 write 10.0.0.0/24.',
    ],
    [
      '10.0.0.0 — 10.0.0.9',
      'a range cannot be sent; instead of 10.0.0.0 - 10.0.0.9 write it as CIDRs.',
    ],
    [
      '10.0.0.9 − 10.0.0.0',
      'a range cannot be sent; instead of 10.0.0.9 - 10.0.0.0 write it as CIDRs.',
    ],
    [
      '10.0.0.0 to 10.0.0.255',
      '10.0.0.255 would be a part of the description of 10.0.0.0: give it an entry of its own.',
    ],
    [
      '10.0.0.1 office (198.51.100.0/24)',
      '198.51.100.0/24 would be a part of the description of 10.0.0.1: give it an entry of its own.',
    ],
    [
      '10.0.0.1 10.0.0.2',
      '10.0.0.2 would be a part of the description of 10.0.0.1: give it an entry of its own.',
    ],
    [
      '10.0.0.1 lab 2001:db8::1',
      '2001:db8::1 would be a part of the description of 10.0.0.1: give it an entry of its own.',
    ],
    [
      '10.0.0.1 lab 10.0/16',
      '10.0/16 would be a part of the description of 10.0.0.1: give it an entry of its own.',
    ],
    ['2001:db8::1', FIRST],
    ['::1', FIRST],
    ['010.0.0.1', FIRST],
    ['10.0.0.01/8', FIRST],
    ['256.1.1.1', FIRST],
    ['10.0.0.0/33', FIRST],
    ['10.0.0.0/08', FIRST],
    ['10.0.0/24', FIRST],
    ['10.0.0.0-255', FIRST],
    ['office', FIRST],
  ])('%s is refused', (typed, message) => {
    expect(faultOf(typed)).toBe(`Line 1: ${message}`);
  });

  it.each<[unknown, string]>([
    ['198.51.100.7\n198.51.100.7/32', 'Line 2: 198.51.100.7/32 stands on line 1 already.'],
    [
      '203.0.113.5/24, 203.0.113.0/24',
      'Line 1, entry 2: 203.0.113.0/24 stands on line 1, entry 1 already.',
    ],
    [['10.0.0.1 a', '10.0.0.1 b'], 'Line 2: 10.0.0.1 stands on line 1 already.'],
    [['10.0.0.1; office', '10.0.0.2'], `Line 1, entry 2: ${FIRST}`],
    [['10.0.0.1', 'x'.repeat(3_000)], 'At most 3000 characters.'],
    [[], 'At least one address.'],
  ])('%j is named with its place', (typed, message) => {
    expect(faultOf(typed)).toBe(message);
  });
});

describe('whether a list is open', () => {
  const eights = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ source: `${from + index}.0.0.0/8` }));
  it.each<[string, readonly { source: string }[], string | undefined]>([
    ['four /2', ['0', '64', '128', '192'].map((at) => ({ source: `${at}.0.0.0/2` })), 'everybody'],
    ['two /2', ['0', '192'].map((at) => ({ source: `${at}.0.0.0/2` })), '50 % of the internet'],
    ['two halves', [{ source: '0.0.0.0/1' }, { source: '128.0.0.0/1' }], 'everybody'],
    ['128 /8', eights(0, 128), '50 % of the internet'],
    ['192 /8', eights(0, 192), '75 % of the internet'],
    ['127 /8', eights(0, 127), undefined],
    ['the same /2 under many names', [...eights(0, 64), { source: '0.0.0.0/2' }], undefined],
    ['0.0.0.0/0', [{ source: '0.0.0.0/0' }], 'everybody'],
    ['the address 0.0.0.0', [{ source: '0.0.0.0' }], undefined],
  ])('%s', (_, entries, who) => {
    expect(openingOf(entries)?.who).toBe(who);
  });

  it('is asked beside the tick, and told in the preview', () => {
    const raw = {
      name: 'reporting',
      provider: 'aws',
      region: 'us-east-1',
      ipAccessList: '0.0.0.0/2, 64.0.0.0/2, 128.0.0.0/2, 192.0.0.0/2',
    };
    expect(serviceCreate.prepare(raw)).toEqual({
      issues: [
        {
          field: 'anywhere',
          message: 'All entries together let everybody in: tick this, or list narrower addresses.',
        },
      ],
    });
    expect(serviceCreate.prepare({ ...raw, anywhere: true })).toHaveProperty('plan');
  });
});

const octet = fc.integer({ min: 0, max: 255 });
const source = fc
  .tuple(octet, octet, octet, octet, fc.option(fc.integer({ min: 0, max: 32 }), { nil: undefined }))
  .map(([a, b, c, d, prefix]) => `${a}.${b}.${c}.${d}${prefix === undefined ? '' : `/${prefix}`}`);
const description = fc
  .array(fc.stringMatching(/^[A-Za-z][a-z]{0,6}[0-9]?$/u), { maxLength: 3 })
  .map((all) => all.join(' '));
const entries = fc.uniqueArray(fc.tuple(source, description), {
  minLength: 1,
  maxLength: 8,
  selector: ([of]) => JSON.stringify(rangeOf(of)),
});

describe('any list', () => {
  it('is read the same with any separator, and as it is written', () => {
    const between = fc.constantFrom(
      '\n',
      ';',
      '; ',
      ', ',
      ',',
      ' and ',
      ', and ',
      '\r\n',
      ' ;\u00a0',
    );
    fc.assert(
      fc.property(entries, fc.array(between, { minLength: 7, maxLength: 7 }), (list, marks) => {
        const lines = list.map((parts) => parts.join(' ').trim());
        const typed = lines.reduce((all, line, index) => `${all}${marks[index - 1]}${line}`);
        const read = accessList.parse(lines.join('\n'));
        expect(read).toHaveLength(list.length);
        expect(accessList.parse(typed)).toEqual(read);
        expect(accessList.parse(lines)).toEqual(read);
        expect(accessList.parse(writeAccessList(read))).toEqual(read);
        expect(sentBy(`--ip-access-list "${typed}"`)).toEqual(read);
        expect(sentBy(lines.map((line) => `--ip-access-list ${line}`).join(' '))).toEqual(read);
      }),
      RUNS,
    );
  });

  it('sends the addresses that were typed, no more and no fewer', () => {
    fc.assert(
      fc.property(source, (typed) => {
        const [entry] = accessList.parse(typed);
        expect(rangeOf(entry?.source ?? '')).toEqual(rangeOf(typed));
        const range = rangeOf(typed);
        const cidr = range && cidrOf(range);
        expect(cidr && rangeOf(cidr)).toEqual(range);
      }),
      RUNS,
    );
  });

  it('counts each address once', () => {
    const small = fc
      .tuple(fc.nat({ max: 63 }), fc.nat({ max: 20 }))
      .map(([from, more]) => ({ from, to: from + more }));
    fc.assert(
      fc.property(fc.array(small, { maxLength: 8 }), (ranges) => {
        const every = new Set(
          ranges.flatMap(({ from, to }) =>
            Array.from({ length: to - from + 1 }, (_, index) => from + index),
          ),
        );
        expect(addressesIn(ranges)).toBe(every.size);
      }),
      RUNS,
    );
  });

  it('never throws', () => {
    const letters = fc.constantFrom(...'0123456789./:-,; \nabcdef"', ' and ', '10.0.0.1');
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 80 }), (all) => {
        accessList.safeParse(all.join(''));
      }),
      RUNS,
    );
  });
});
