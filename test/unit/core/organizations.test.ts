import { describe, expect, it } from 'vitest';
import {
  isProblem,
  organizationTarget,
  resolveOrganization,
} from '../../../src/core/operation/resolve.ts';
import { plain } from '../../../src/core/text/text.ts';
import { settingsWith } from '../../support/operation-ports.ts';

const ACME = '5f1c2a40-7d3e-4b1a-9c55-0a1b2c3d4e5f';
const GLOBEX = '8d2f6b1c-1e4a-4f0d-8a77-2b3c4d5e6f70';
const one = portsWith({ acme: ACME });
const two = portsWith({ acme: ACME, globex: GLOBEX });

function portsWith(ids: Readonly<Record<string, string>>) {
  const organizations = Object.entries(ids).map(([key, id]) => ({
    key,
    id,
    keyId: 'fake-key-id',
    keySecret: 'fake-key-secret',
    names: 'neutral' as const,
  }));
  const settings = settingsWith({ organizations });
  return { settings: { get: () => settings } };
}

describe('resolveOrganization', () => {
  it.each([
    ['nothing, where there is one', undefined, one, 'acme'],
    ['an empty text, where there is one', ' ', one, 'acme'],
    ['a key', 'globex', two, 'globex'],
    ['a key in capitals', 'GLOBEX', two, 'globex'],
    ['an id', GLOBEX.toUpperCase(), two, 'globex'],
  ])('finds it by %s', (_, typed, ports, key) => {
    expect(resolveOrganization(typed, ports)).toMatchObject({ key });
  });

  it('gives nothing of its key', () => {
    expect(resolveOrganization(undefined, one)).toEqual({ key: 'acme', id: ACME });
  });

  it.each([
    [undefined, two, 'Choose an organization: acme or globex.'],
    ['nope', two, 'There is no organization nope here. Choose acme or globex.'],
    ['nope', one, 'There is no organization nope here. Choose acme.'],
    [undefined, portsWith({}), 'Steward has no organization configured.'],
  ])('has words for %s', (typed, ports, words) => {
    const found = resolveOrganization(typed, ports);
    expect(isProblem(found) && [found.field, plain(found.problem), found.suggestion]).toEqual([
      'organization',
      words,
      undefined,
    ]);
  });

  it('suggests the near one, with the rest of the input', () => {
    expect(resolveOrganization('globx', two, { name: 'a', organization: 'globx' })).toMatchObject({
      suggestion: { label: 'Use globex', input: { name: 'a', organization: 'globex' } },
    });
  });

  it('is a target of the policy', () => {
    expect(organizationTarget({ key: 'acme', id: ACME })).toEqual({
      kind: 'organization',
      id: ACME,
      name: 'acme',
      organization: 'acme',
      tags: [],
    });
  });
});
