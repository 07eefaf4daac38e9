import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problems.ts';
import { ENVIRONMENT, KNOWN_ACTIONS } from './config-fixtures.ts';

function problemsWith(env: Readonly<Record<string, string>>, text: string | undefined) {
  try {
    loadConfiguration({
      env,
      knownActions: KNOWN_ACTIONS,
      readFile: () => {
        if (text === undefined) throw new Error('ENOENT');
        return text;
      },
    });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfiguration', () => {
  it('gives environment and settings', () => {
    const { environment, settings } = loadConfiguration({
      env: ENVIRONMENT,
      knownActions: KNOWN_ACTIONS,
      readFile: (path) => `command: ${path === './steward.yaml' ? '/db' : '/other'}`,
    });
    expect(environment.slackConnection.mode).toBe('socket');
    expect(settings.command).toBe('/db');
  });

  it('lists the problems of both at once', () => {
    const { CONTROL_API_URL: _, ...env } = ENVIRONMENT;
    expect(problemsWith(env, 'comand: /db').map(({ path }) => path)).toEqual([
      'CONTROL_API_URL',
      'comand',
    ]);
  });

  it('names STEWARD_CONFIG and its path when the file is missing', () => {
    const env = { ...ENVIRONMENT, STEWARD_CONFIG: '/nowhere/steward.yaml' };
    expect(problemsWith(env, undefined)).toEqual([
      {
        path: 'STEWARD_CONFIG',
        message: 'no file can be read at /nowhere/steward.yaml; copy steward.example.yaml to it',
      },
    ]);
  });

  it('reads the file from disk by default', () => {
    expect(() =>
      loadConfiguration({
        env: { ...ENVIRONMENT, STEWARD_CONFIG: '/nowhere/steward.yaml' },
        knownActions: KNOWN_ACTIONS,
      }),
    ).toThrow('/nowhere/steward.yaml');
  });

  it('wants an organization from somewhere', () => {
    const { ORGANIZATION_ID: _, ...env } = ENVIRONMENT;
    expect(problemsWith(env, 'command: /db').map(({ path }) => path)).toEqual(['organizations']);
  });

  it('reports a faulty ORGANIZATION_ID once', () => {
    const { CONTROL_API_KEY_ID: _, ...env } = ENVIRONMENT;
    expect(problemsWith(env, 'command: /db').map(({ path }) => path)).toEqual([
      'CONTROL_API_KEY_ID',
    ]);
  });
});

describe('the examples', () => {
  const env = parseEnv(readFileSync('.env.example', 'utf8'));

  it('are valid together', () => {
    const { environment, settings } = loadConfiguration({
      env: { ...env, STEWARD_CONFIG: 'steward.example.yaml' },
      knownActions: KNOWN_ACTIONS,
    });
    expect(environment.stewardConfig).toBe('steward.example.yaml');
    expect(settings.services.map(({ name }) => name)).toEqual(['analytics', 'scratch']);
    expect(settings.channels[0]?.rules.map(({ path }) => path)).toContain('channels.ops.deny[0]');
    expect(settings.credentials[0]?.values).toEqual({
      username: 'fake-kafka-user',
      password: 'fake-kafka-password',
    });
  });

  it('name every variable of the design', () => {
    expect(Object.keys(env)).toEqual(
      expect.arrayContaining([
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'SLACK_SIGNING_SECRET',
        'PORT',
        'SLACK_API_URL',
        'CONTROL_API_URL',
        'CONTROL_API_KEY_ID',
        'CONTROL_API_KEY_SECRET',
        'ORGANIZATION_ID',
        'CONTROL_API_NAMES',
        'OBSERVABILITY_API_URL',
        'OBSERVABILITY_API_TOKEN',
        'STEWARD_CONFIG',
        'DATABASE_URL',
        'SECRET_KEY',
        'HEALTH_PORT',
        'LOG_LEVEL',
      ]),
    );
  });
});
