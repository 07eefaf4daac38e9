import { describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../../src/config/environment.ts';
import { ENVIRONMENT } from './config-fixtures.ts';

const proxyOf = (env: Record<string, string>) =>
  checkEnvironment({ ...ENVIRONMENT, ...env }).value?.proxy;
const problemsOf = (env: Record<string, string>) =>
  checkEnvironment({ ...ENVIRONMENT, ...env }).problems.map(
    (each) => `${each.path} ${each.message}`,
  );

describe('proxy variables', () => {
  it('count where one names a proxy', () => {
    expect(proxyOf({})).toBeUndefined();
    expect(proxyOf({ NO_PROXY: 'localhost', HTTPS_PROXY: '' })).toBeUndefined();
    expect(proxyOf({ HTTPS_PROXY: 'http://proxy:3128' })).toEqual({
      http: undefined,
      https: 'http://proxy:3128',
      none: '',
    });
  });

  it('have lower-case names that win', () => {
    const env = { HTTP_PROXY: 'http://upper:1', http_proxy: 'http://lower:1', no_proxy: 'a.test' };
    expect(proxyOf(env)).toMatchObject({ http: 'http://lower:1', none: 'a.test' });
  });

  it.each([
    ['a.test, .b.test  c.test:8443', 'a.test,.b.test,c.test:8443'],
    ['::1,10.1.2.3,[fd00::1]', '[::1],10.1.2.3,[fd00::1]'],
    ['a.test,*', '*'],
  ])('NO_PROXY %j is read as %j', (typed, none) => {
    expect(proxyOf({ HTTP_PROXY: 'http://proxy:1', NO_PROXY: typed })).toMatchObject({ none });
  });

  it.each([
    ['proxy:3128', /^HTTPS_PROXY has no scheme: write http:/],
    ['socks5://proxy:1080', /^HTTPS_PROXY names a SOCKS proxy, which is not supported/],
    ['ftp://proxy', /^HTTPS_PROXY must begin with http:/],
    ['http://', /^HTTPS_PROXY must be an address such as/],
    ['http://ana@proxy:1', /^HTTPS_PROXY needs both a user name and a password/],
    ['http://ana:50%25%@proxy:1', /^HTTPS_PROXY has a user name or password with a %/],
  ])('%s is a problem that does not repeat it', (value, message) => {
    const problems = problemsOf({ HTTPS_PROXY: value });
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems.join()).not.toContain('50%25%');
  });
});
