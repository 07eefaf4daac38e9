import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  medianOf,
  percentText,
  signedText,
  sumUnits,
  unitsText,
} from '../../../src/cost/book/units.ts';
import { amountText, metricText } from '../../../src/cost/book/words.ts';

describe('units', () => {
  it('add up without binary leftovers, whatever the order', () => {
    expect(sumUnits([0.1, 0.2])).toBe(0.3);
    expect(sumUnits(Array.from({ length: 1_000 }, () => 0.01))).toBe(10);
    const cents = fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 }));
    fc.assert(
      fc.property(cents, (amounts) => {
        const units = amounts.map((amount) => amount / 1_000);
        expect(sumUnits(units)).toBe(sumUnits([...units].reverse()));
        expect(sumUnits(units)).toBe(amounts.reduce((sum, amount) => sum + amount, 0) / 1_000);
      }),
    );
  });

  it.each([
    [[], undefined],
    [[3], 3],
    [[5, 1, 3], 3],
    [[0.1, 0.2, 0.4, 9], 0.3],
  ])('%j have the median %s', (amounts, median) => {
    expect(medianOf(amounts)).toBe(median);
  });

  it.each([
    [0, '0', '±0'],
    [412.6, '412.6', '+412.6'],
    [1234.56, '1,234.6', '+1,234.6'],
    [0.04, '0.04', '+0.04'],
    [0.0001, '<0.01', '+<0.01'],
    [-2.9, '−2.9', '−2.9'],
    [-0.0001, '>−0.01', '>−0.01'],
  ])('%s reads "%s", and "%s" as a difference', (units, text, signed) => {
    expect(unitsText(units)).toBe(text);
    expect(signedText(units)).toBe(signed);
  });

  it.each([
    [103.1, 100, '+3.1 %'],
    [112, 100, '+12 %'],
    [109.97, 100, '+10 %'],
    [96.9, 100, '−3.1 %'],
    [100.01, 100, '±0 %'],
    [0, 100, '−100 %'],
    [5_000, 1, '+499,900 %'],
    // Compared with nothing it is new, not 0 %.
    [5, 0, undefined],
    [5, -1, undefined],
  ])('%s against %s is %s', (now, before, text) => {
    expect(percentText(now, before)).toBe(text);
  });

  it('are never turned into money without a rate of the settings', () => {
    expect(amountText(412.6, undefined)).toBe('412.6 units');
    expect(amountText(1, undefined)).toBe('1.0 unit');
    expect(amountText(412.6, { name: 'EUR', perUnit: 0.3 })).toBe('412.6 units (123.78 EUR)');
  });

  it.each([
    ['storageUnits', 'Storage'],
    ['teleportUnits', 'teleportUnits'],
    ['constructor', 'constructor'],
  ])('of the metric %s are named "%s"', (metric, text) => {
    expect(metricText(metric)).toBe(text);
  });
});
