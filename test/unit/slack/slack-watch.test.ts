import { describe, expect, it } from 'vitest';
import type { Troubles } from '../../../src/core/ports/troubles.ts';
import { createSettableClock } from '../../../src/sandbox/control-plane/settable-clock.ts';
import { createSlackWatch } from '../../../src/slack/web/slack-watch.ts';

function watched() {
  const known = new Set<string>();
  const troubles: Troubles = {
    note: (kind, subject) => void known.add(`${kind} ${subject}`),
    clear: (kind, subject) => void known.delete(`${kind} ${subject}`),
    all: () => [],
  };
  return { known, watch: createSlackWatch(troubles, createSettableClock()) };
}

/** As `@slack/web-api` throws it. */
const refusal = (error: string, needed?: string) =>
  Object.assign(new Error(error), {
    code: 'slack_webapi_platform_error',
    data: { ok: false, error, ...(needed === undefined ? {} : { needed }) },
  });

const KINDS = [
  [
    'scope usergroups:read',
    'usergroups.users.list',
    undefined,
    refusal('missing_scope', 'usergroups:read'),
  ],
  ['not-in-channel C0OPS', 'chat.postMessage', 'C0OPS', refusal('not_in_channel')],
  ['archived C0OPS', 'chat.postEphemeral', 'C0OPS', refusal('is_archived')],
] as const;

describe('what answers of Slack say of the world around Steward', () => {
  it.each(KINDS)(
    '%s: known by a failure, over by the next answer',
    (trouble, method, channel, cause) => {
      const { known, watch } = watched();
      watch.asked(method, channel).failed(cause);
      expect([...known]).toEqual([trouble]);
      watch.asked(method, channel).answered();
      expect([...known]).toEqual([]);
    },
  );

  it.each(KINDS)(
    '%s: a failure that arrives after a later call was taken is old',
    (trouble, method, channel, cause) => {
      const { known, watch } = watched();
      const slow = watch.asked(method, channel);
      const slower = watch.asked(method, channel);
      watch.asked(method, channel).failed(cause);
      watch.asked(method, channel).answered();
      slow.failed(cause);
      expect([...known]).toEqual([]);
      // An answer that is late as well makes no later failure old.
      const next = watch.asked(method, channel);
      slower.answered();
      next.failed(cause);
      expect([...known]).toEqual([trouble]);
    },
  );

  it.each([
    ['usergroups:read', 'usergroups.users.list', 'usergroups.list'],
    ['usergroups:read', 'usergroups.list', 'usergroups.users.list'],
    ['chat:write', 'chat.postEphemeral', 'chat.postMessage'],
  ])('the scope %s that %s lacked is there for %s', (scope, lacked, method) => {
    const { known, watch } = watched();
    const slow = watch.asked(lacked, undefined);
    watch.asked(lacked, undefined).failed(refusal('missing_scope', scope));
    expect([...known]).toEqual([`scope ${scope}`]);
    watch.asked(method, undefined).answered();
    expect([...known]).toEqual([]);
    slow.failed(refusal('missing_scope', scope));
    expect([...known]).toEqual([]);
  });

  it('an answer of another method shows nothing of a scope, nor a read of a channel', () => {
    const { known, watch } = watched();
    watch
      .asked('usergroups.users.list', undefined)
      .failed(refusal('missing_scope', 'usergroups:read'));
    watch.asked('chat.postMessage', 'C0OPS').failed(refusal('not_in_channel'));
    watch.asked('users.info', undefined).answered();
    watch.asked('conversations.info', 'C0OPS').answered();
    expect([...known]).toEqual(['scope usergroups:read', 'not-in-channel C0OPS']);
  });
});
