import { describe, expect, it } from 'vitest';
import { namesOf, spokenInput } from '../../../src/core/card/card.ts';
import { formerId, otherId, servicesOfSchedule } from '../../../src/core/settings/settings.ts';
import {
  certificateFault,
  networkFault,
  ProxyUnreachable,
} from '../../../src/core/text/network-fault.ts';

const coded = (code: unknown, cause?: unknown) =>
  Object.assign(new Error('fake', { cause }), { code });
const variables = 'HTTPS_PROXY or HTTP_PROXY';
const unknownCa = (code: string) =>
  `the certificate is signed by a CA that this computer does not know (${code}): put its CA into a PEM file and name that file in NODE_EXTRA_CA_CERTS`;

describe('a connection that was not made', () => {
  it.each<[unknown, string, boolean]>([
    [
      new ProxyUnreachable(coded('ECONNREFUSED')),
      `the proxy could not be reached (ECONNREFUSED): check ${variables}`,
      false,
    ],
    [new ProxyUnreachable(undefined), `the proxy could not be reached: check ${variables}`, false],
    [
      new ProxyUnreachable(coded('ENOTFOUND', coded('EAI_AGAIN'))),
      `the proxy could not be reached (EAI_AGAIN): check ${variables}`,
      false,
    ],
    [
      new ProxyUnreachable(coded('odd code', coded('EPERM1'))),
      `the proxy could not be reached: check ${variables}`,
      false,
    ],
    [
      new ProxyUnreachable(coded('CERT_HAS_EXPIRED')),
      'the proxy could not be reached: the certificate has expired; whoever runs the server has to renew it (CERT_HAS_EXPIRED)',
      true,
    ],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), unknownCa('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), true],
    [
      new Error('outer', { cause: coded('SELF_SIGNED_CERT_IN_CHAIN') }),
      unknownCa('SELF_SIGNED_CERT_IN_CHAIN'),
      true,
    ],
    [
      Object.assign(new Error('of Slack'), { original: coded('UNABLE_TO_GET_ISSUER_CERT') }),
      unknownCa('UNABLE_TO_GET_ISSUER_CERT'),
      true,
    ],
    [
      new AggregateError([coded('ECONNRESET'), coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')]),
      unknownCa('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
      true,
    ],
    [
      new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
      `the proxy wants a user name and password, or refuses those that it got (407): check them in ${variables}`,
      true,
    ],
    [
      new Error('x', { cause: new Error('Proxy response (403) !== 200') }),
      'the proxy does not allow this host (403): have it allowed there',
      true,
    ],
    [
      new Error('Proxy response (502) !== 200'),
      'the proxy answers, but does not reach the host (502): check the address, or ask who runs the proxy',
      false,
    ],
  ])('%s is told by its reason', (thrown, why, lasts) => {
    expect(networkFault(thrown)).toEqual({ why, lasts });
  });

  it.each([
    ['a', 'text'],
    undefined,
    { code: 'CERT_HAS_EXPIRED' },
    coded('ECONNREFUSED'),
    coded(7),
    new Error('not: Proxy response (407) !== 200'),
    new Error('Proxy response (4070) !== 200'),
  ])('is not explained where neither proxy nor certificate is the reason: %s', (thrown) => {
    expect(networkFault(thrown)).toBeUndefined();
  });

  it.each([
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'the certificate is signed by itself (DEPTH_ZERO_SELF_SIGNED_CERT): put its CA into a PEM file and name that file in MY_CA',
    ],
    [
      'CERT_NOT_YET_VALID',
      'the certificate is not valid yet; check the clock of this computer (CERT_NOT_YET_VALID)',
    ],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'the certificate is for another host; check the address (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    ['ECONNRESET', undefined],
  ])('%s of a certificate is %s', (code, words) => {
    expect(certificateFault(coded(code), 'MY_CA')).toBe(words);
  });
});

describe('the rules of the file', () => {
  it('know a channel that has another first letter now, and none that has its own', () => {
    const channels = [{ id: 'C0FIN' }, { id: 'C0OPS' }, { id: 'G0OLD' }];
    const former = (id: string) => formerId({ channels } as never, id);
    expect([otherId('C0FIN'), otherId('G0FIN')]).toEqual(['G0FIN', 'C0FIN']);
    expect(['G0FIN', 'C0OLD', 'C0FIN', 'G0ELSE'].map(former)).toEqual([
      ...['C0FIN', 'G0OLD', undefined, undefined],
    ]);
  });

  it('name the services of a schedule by name or by one of their tags', () => {
    const services = [
      { name: 'a', tags: ['dev', 'eu'] },
      { name: 'b', tags: [] },
      { name: 'c', tags: ['prod'] },
    ];
    const named = (...names: string[]) =>
      servicesOfSchedule({ services } as never, { services: names }).map(({ name }) => name);
    expect(named('b', 'tag:eu')).toEqual(['a', 'b']);
    expect(named('dev', 'tag:a')).toEqual([]);
  });
});

describe('what was chosen by id', () => {
  it('is spoken of by its name', () => {
    const names = namesOf([{ id: 's-1', name: 'analytics' }]);
    expect(names).toEqual({ 's-1': 'analytics' });
    const raw = { service: 's-1', other: 's-2', size: 12, odd: 'toString' };
    expect(spokenInput(raw, names)).toEqual({ ...raw, service: 'analytics' });
    expect(spokenInput(raw)).toEqual(raw);
  });
});
