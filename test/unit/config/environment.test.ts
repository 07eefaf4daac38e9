import { describe, expect, it } from 'vitest';
import { checkEnvironment, readEnvironment } from '../../../src/config/environment.ts';
import { ConfigurationError } from '../../../src/config/problems.ts';
import { ENVIRONMENT, ORGANIZATION_ID } from './config-fixtures.ts';

function pathsOf(changes: Readonly<Record<string, string | undefined>>): readonly string[] {
  return checkEnvironment({ ...ENVIRONMENT, ...changes }).problems.map(({ path }) => path);
}

describe('readEnvironment', () => {
  it('fills in the defaults', () => {
    expect(readEnvironment(ENVIRONMENT)).toEqual({
      slackBotToken: 'xoxb-fake-bot',
      slackConnection: { mode: 'socket', appToken: 'xapp-fake-app' },
      controlApiUrl: 'https://control.example.com',
      organization: { id: ORGANIZATION_ID, keyId: 'fake-key-id', keySecret: 'fake-key-secret' },
      stewardConfig: './steward.yaml',
      databaseUrl: 'sqlite:./data/steward.db',
      logLevel: 'info',
    });
  });

  it('reads every variable', () => {
    const environment = readEnvironment({
      ...ENVIRONMENT,
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: 'fake-signing-secret',
      PORT: '8443',
      SLACK_API_URL: 'http://127.0.0.1:4000/api/',
      OBSERVABILITY_API_URL: 'http://localhost:5000',
      OBSERVABILITY_API_TOKEN: 'fake-token',
      STEWARD_CONFIG: '/etc/steward/rules.yaml',
      DATABASE_URL: 'postgres://steward:fake-password@db/steward',
      SECRET_KEY: 'ab'.repeat(32),
      HEALTH_PORT: '8080',
      LOG_LEVEL: 'debug',
    });
    expect(environment).toMatchObject({
      slackConnection: { mode: 'http', signingSecret: 'fake-signing-secret', port: 8443 },
      slackApiUrl: 'http://127.0.0.1:4000/api',
      observability: { url: 'http://localhost:5000', token: 'fake-token' },
      stewardConfig: '/etc/steward/rules.yaml',
      databaseUrl: 'postgres://steward:fake-password@db/steward',
      healthPort: 8080,
      logLevel: 'debug',
    });
    expect(environment.secretKey).toBe('ab'.repeat(32));
  });

  it('takes port 3000 in HTTP mode when none is given', () => {
    const { slackConnection } = readEnvironment({
      ...ENVIRONMENT,
      SLACK_APP_TOKEN: undefined,
      SLACK_SIGNING_SECRET: 'fake-signing-secret',
    });
    expect(slackConnection).toEqual({
      mode: 'http',
      signingSecret: 'fake-signing-secret',
      port: 3000,
    });
  });

  it.each([
    ['no bot token', { SLACK_BOT_TOKEN: undefined }, ['SLACK_BOT_TOKEN']],
    ['an app token as bot token', { SLACK_BOT_TOKEN: 'xapp-fake' }, ['SLACK_BOT_TOKEN']],
    ['a bot token as app token', { SLACK_APP_TOKEN: 'xoxb-fake' }, ['SLACK_APP_TOKEN']],
    ['neither mode', { SLACK_APP_TOKEN: ' ' }, ['SLACK_APP_TOKEN']],
    ['both modes', { SLACK_SIGNING_SECRET: 'fake' }, ['SLACK_APP_TOKEN']],
    ['no control API', { CONTROL_API_URL: '' }, ['CONTROL_API_URL']],
    ['plain http elsewhere', { CONTROL_API_URL: 'http://example.com' }, ['CONTROL_API_URL']],
    ['a password in an address', { CONTROL_API_URL: 'https://a:b@c.d' }, ['CONTROL_API_URL']],
    ['a query in an address', { SLACK_API_URL: 'https://c.d/?x=1' }, ['SLACK_API_URL']],
    ['an address without host', { SLACK_API_URL: 'slack' }, ['SLACK_API_URL']],
    ['an organization without key', { CONTROL_API_KEY_ID: '' }, ['CONTROL_API_KEY_ID']],
    ['an organization by name', { ORGANIZATION_ID: 'acme' }, ['ORGANIZATION_ID']],
    ['half of observability', { OBSERVABILITY_API_TOKEN: 'x' }, ['OBSERVABILITY_API_URL']],
    ['its other half', { OBSERVABILITY_API_URL: 'https://o.p' }, ['OBSERVABILITY_API_TOKEN']],
    ['another database', { DATABASE_URL: 'mysql://x' }, ['DATABASE_URL']],
    ['a short secret key', { SECRET_KEY: 'fake' }, ['SECRET_KEY']],
    ['port 0', { HEALTH_PORT: '0' }, ['HEALTH_PORT']],
    ['a service link', { HEALTH_PORT: 'tcp://10.0.0.1:8080' }, ['HEALTH_PORT']],
    ['a port in words', { PORT: 'http' }, ['PORT']],
    ['an unknown level', { LOG_LEVEL: 'loud' }, ['LOG_LEVEL']],
  ])('refuses %s', (_name, changes, paths) => {
    expect(pathsOf(changes)).toEqual(paths);
  });

  it('refuses one port for two servers', () => {
    expect(
      pathsOf({
        SLACK_APP_TOKEN: '',
        SLACK_SIGNING_SECRET: 'fake',
        PORT: '8080',
        HEALTH_PORT: '8080',
      }),
    ).toEqual(['HEALTH_PORT']);
  });

  it('lists all problems at once and repeats no value', () => {
    const secret = 'never-repeat-me';
    const env = Object.fromEntries(
      [
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'CONTROL_API_URL',
        'ORGANIZATION_ID',
        'DATABASE_URL',
        'SECRET_KEY',
        'HEALTH_PORT',
        'LOG_LEVEL',
      ].map((name) => [name, secret]),
    );
    const thrown = (() => {
      try {
        return readEnvironment(env);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(ConfigurationError);
    if (!(thrown instanceof ConfigurationError)) return;
    expect(thrown.problems.length).toBe(10);
    expect(thrown.message).not.toContain(secret);
    expect(thrown.message).toContain('  HEALTH_PORT: must be a port number');
  });

  it('knows what Kubernetes sets for a service called health', () => {
    const { problems } = checkEnvironment({ ...ENVIRONMENT, HEALTH_PORT: 'tcp://10.0.0.1:8080' });
    expect(problems).toEqual([
      {
        path: 'HEALTH_PORT',
        message:
          'is what Kubernetes sets for a service called health: set enableServiceLinks: false in the pod, and HEALTH_PORT to a port number',
      },
    ]);
  });
});
