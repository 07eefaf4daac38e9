/**
 * The house: every folder of `src` that is a room, and the rooms it may import. A file belongs to the
 * deepest room that holds it; type imports count. `npm run boundaries` holds the code against it, and a
 * test holds docs/architecture.md against it. Design: §2.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'core/text': [],
  'core/settings': ['core/text'],
  'core/card': ['core/text'],
  'core/cloud': ['core/text'],
  'core/ports': ['core/text', 'core/settings', 'core/card', 'core/cloud'],
  'core/operation': ['core/text', 'core/settings', 'core/card', 'core/cloud', 'core/ports'],
  'core/slash': ['core/text', 'core/card', 'core/operation'],
  'core/list': ['core/text', 'core/card', 'core/ports', 'core/operation', 'core/slash'],
  'core/pipeline': [
    ...['core/text', 'core/settings', 'core/card', 'core/cloud', 'core/ports'],
    'core/operation',
  ],
  'cost/book': ['core'],
  'cost/read': ['core', 'cost/book'],
  'cost/summary': ['core', 'cost/book'],
  'digest/write': ['core', 'cost/book', 'cost/read', 'cost/summary'],
  'digest/run': ['core'],
  sight: ['core'],
  sleep: ['core', 'cost/book'],
  operations: ['core', 'cost/book'],
  config: ['core'],
  'control-api': ['core'],
  network: ['core/text'],
  'policy/decide': ['core'],
  'policy/identity': ['core', 'policy/decide'],
  policy: ['core', 'policy/decide', 'policy/identity'],
  storage: ['core'],
  'slack/render': ['core'],
  'slack/web': ['core', 'slack/render'],
  'slack/outbound': ['core', 'slack/render', 'slack/web'],
  'slack/form': ['core', 'slack/render', 'slack/outbound'],
  'slack/inbound': ['core', 'slack/render', 'slack/web', 'slack/outbound', 'slack/form'],
  slack: ['core', 'slack/render', 'slack/web', 'slack/outbound', 'slack/form', 'slack/inbound'],
  'sandbox/control-plane': [],
  'sandbox/workspace/protocol': [],
  'sandbox/workspace/validator': ['sandbox/workspace/protocol'],
  'sandbox/workspace/state': inWorkspace('protocol', 'validator'),
  'sandbox/workspace/payloads': inWorkspace('protocol', 'state'),
  'sandbox/workspace/web-api': inWorkspace('protocol', 'validator', 'state', 'payloads'),
  'sandbox/workspace/actions': inWorkspace(
    ...['protocol', 'validator', 'state', 'payloads', 'web-api'],
  ),
  'sandbox/workspace/server': inWorkspace(
    ...['protocol', 'state', 'payloads', 'web-api', 'actions'],
  ),
  'sandbox/workspace/page': ['sandbox/workspace/protocol'],
  'sandbox/workspace': inWorkspace('protocol', 'state', 'payloads', 'actions', 'server'),
  sandbox: ['sandbox/control-plane', 'sandbox/workspace'],
  app: [
    'core',
    'config',
    'control-api',
    'network',
    'policy',
    'cost',
    'digest',
    'sight',
    'sleep',
    'operations',
    'slack',
    'storage',
  ],
  cli: ['core', 'config', 'operations', 'policy', 'sleep', 'slack', 'storage', 'network', 'app'],
};

/** Packages with one home; core and operations take none but those at the end. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  undici: ['control-api', 'network'],
  kysely: ['storage'],
  'better-sqlite3': ['storage'],
  pg: ['storage'],
  '@slack/': ['slack'],
  'node-cron': ['digest/run'],
  pino: ['app'],
  'prom-client': ['app'],
  commander: ['cli'],
  yaml: ['core/text', 'config', 'operations/pipe-create'],
  preact: ['sandbox/workspace/page'],
  marked: ['sandbox/workspace/page'],
  'd3-shape': ['sandbox/workspace/page'],
  ws: ['sandbox/workspace/server'],
  'csv-stringify': ['operations/cost-read', 'cli'],
};
/** The domain: nothing else from outside may stand in these rooms. */
export const PURE = ['core', 'cost', 'policy', 'sleep', 'operations'];
export const IN_PURE = ['zod', 'luxon', 'fastest-levenshtein', 'node:crypto'];

function inWorkspace(...rooms: readonly string[]): readonly string[] {
  return rooms.map((room) => `sandbox/workspace/${room}`);
}
