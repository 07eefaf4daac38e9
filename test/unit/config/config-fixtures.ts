import type { Problem } from '../../../src/config/problems.ts';
import { readStewardFile } from '../../../src/config/steward-file.ts';
import type { Settings } from '../../../src/core/settings/settings.ts';

export const ORGANIZATION_ID = '11111111-1111-4111-8111-111111111111';
export const ANALYTICS_ID = '22222222-2222-4222-8222-222222222222';
export const SCRATCH_ID = '33333333-3333-4333-8333-333333333333';

export const KNOWN_ACTIONS = [
  'service.create',
  'service.start',
  'service.stop',
  'invitation.create',
  'invitation.read',
  'query-endpoint.read',
  'pipe.create',
  'activity.read',
  'cost.read',
  'dashboard.delete',
  'approval.break-glass',
] as const;

export const ENVIRONMENT = {
  SLACK_BOT_TOKEN: 'xoxb-fake-bot',
  SLACK_APP_TOKEN: 'xapp-fake-app',
  CONTROL_API_URL: 'https://control.example.com/',
  CONTROL_API_KEY_ID: 'fake-key-id',
  CONTROL_API_KEY_SECRET: 'fake-key-secret',
  ORGANIZATION_ID,
} as const;

/** Reads a `steward.yaml` for the one organization of the environment. */
export function readFile(
  text: string,
  variables: Readonly<Record<string, string>> = {},
): { readonly value?: Settings | undefined; readonly problems: readonly Problem[] } {
  return readStewardFile(text, {
    variables,
    organization: { id: ORGANIZATION_ID, keyId: 'fake-key-id', keySecret: 'fake-key-secret' },
    knownActions: KNOWN_ACTIONS,
  });
}

/** `path:line message` of each problem. */
export function problemsOf(text: string, variables: Readonly<Record<string, string>> = {}) {
  return readFile(text, variables).problems.map(
    ({ path, line, message }) => `${path}:${line ?? '-'} ${message}`,
  );
}
