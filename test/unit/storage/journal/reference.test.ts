import { expect, it } from 'vitest';
import { entriesReferredTo, referenceFor } from '../../../../src/storage/journal/chain.ts';

it('gives every entry four characters of its own', () => {
  const references = new Set(Array.from({ length: 100_000 }, (_, n) => referenceFor(n + 1)));
  expect(references.size).toBe(100_000);
  const others = [...references].filter((text) => !/^[0-9a-hjkmnp-tv-z]{4}$/.test(text));
  expect(others).toEqual([]);
});

it('starts over only after 32^4 entries', () => {
  expect(referenceFor(812 + 32 ** 4)).toBe(referenceFor(812));
  expect(referenceFor(2)).not.toBe(referenceFor(1));
});

it('knows what is no reference', () => {
  const reference = referenceFor(1);
  expect(entriesReferredTo(reference, 1)).toEqual([1]);
  for (const text of ['', reference.slice(1), `0${reference}`, `${reference.slice(1)}!`, 'ilou']) {
    expect([text, entriesReferredTo(text, 32 ** 4)]).toEqual([text, []]);
  }
});
