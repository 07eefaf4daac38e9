/**
 * The table of message × refusal of Slack × moment, with the real bot over real HTTP and SQLite.
 * `npm test` runs a sample: every message with every refusal. The whole of it:
 * `npm run test:long`.
 */
import { NOTIFICATION_KINDS } from '../../src/core/ports/outbox.ts';
import { KINDS } from '../support/told-scenarios.ts';
import { describeTold } from '../support/told-tests.ts';

describeTold(
  'what people must learn',
  NOTIFICATION_KINDS.map((kind) => [kind, KINDS[kind]] as const),
);
