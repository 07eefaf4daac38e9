import type { Clock } from '../../core/ports/ports.ts';
import type { Troubles } from '../../core/ports/troubles.ts';
import { failureOf, neededScope, REVOKED } from './slack-failure.ts';

/** Learns from each answer of Slack what is wrong around Steward, and what is well again. */
export type SlackWatch = {
  /** A call goes out. `channelId`: the channel that it is about. */
  asked(method: string, channelId: string | undefined): WatchedCall;
  /** What Slack says of a channel (`conversations.info`). */
  described(channelId: string, facts: { isMember: boolean; isArchived: boolean }): void;
  /** Seconds since 1970 by Slack's clock, as the `ts` of a message that was posted just now. */
  slackTime(ts: string): void;
};

type WatchedCall = {
  answered(): void;
  failed(cause: unknown): void;
};

/** Beyond this, signatures and expiries go wrong; answers are never this slow. */
const SKEW_S = 60;
const CLOCKS = ['ahead of', 'behind'] as const;

export function createSlackWatch(troubles: Troubles, clock: Clock): SlackWatch {
  /** The scope that a method lacked: its next answer shows that it is there. */
  const lacking = new Map<string, string>();
  /** By scope or method, and by channel: which call Slack took last. An older one's failure says nothing new. */
  const taken = new Map<string, number>();
  let calls = 0;

  function keepTaken(key: string, call: number): void {
    taken.set(key, Math.max(call, taken.get(key) ?? 0));
  }
  function answered(method: string, channelId: string | undefined, call: number) {
    const scope = lacking.get(method) ?? SCOPES[method];
    if (scope !== undefined) troubles.clear('scope', scope);
    lacking.delete(method);
    keepTaken(SCOPES[method] ?? method, call);
    if (channelId === undefined || !WRITES.has(method)) return;
    keepTaken(channelId, call);
    troubles.clear('not-in-channel', channelId);
    troubles.clear('archived', channelId);
  }
  function failed(method: string, channelId: string | undefined, call: number, cause: unknown) {
    const { kind, error } = failureOf(cause);
    if (kind === 'limited') troubles.note('rate-limit', method);
    if (REVOKED.has(error)) troubles.note('token', '');
    const isLast = (key: string) => call > (taken.get(key) ?? 0);
    const scope = neededScope(cause);
    if (scope !== undefined && isLast(SCOPES[method] ?? method)) {
      lacking.set(method, scope);
      troubles.note('scope', scope);
    }
    if (channelId === undefined || !isLast(channelId)) return;
    if (error === 'not_in_channel') troubles.note('not-in-channel', channelId);
    if (error === 'is_archived') troubles.note('archived', channelId);
  }
  return {
    asked(method, channelId) {
      calls += 1;
      const call = calls;
      return {
        answered: () => answered(method, channelId, call),
        failed: (cause) => failed(method, channelId, call, cause),
      };
    },
    described(channelId, { isMember, isArchived }) {
      troubles[isArchived ? 'note' : 'clear']('archived', channelId);
      if (isMember) troubles.clear('not-in-channel', channelId);
    },
    slackTime(ts) {
      const skew = ts === '' ? 0 : clock.now().toSeconds() - Number(ts);
      if (!Number.isFinite(skew)) return;
      const [ahead, behind] = CLOCKS;
      const wrong = Math.abs(skew) <= SKEW_S ? undefined : skew > 0 ? ahead : behind;
      for (const way of CLOCKS) troubles[way === wrong ? 'note' : 'clear']('clock', way);
    },
  };
}

/** Of methods that need one and the same: an answer to any of them shows that it is there. */
const SCOPES: Readonly<Record<string, string>> = {
  'usergroups.list': 'usergroups:read',
  'usergroups.users.list': 'usergroups:read',
  'chat.postMessage': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'chat.update': 'chat:write',
};

/** Calls that a channel takes only from a member, while it is open. */
const WRITES: ReadonlySet<string> = new Set([
  'chat.postMessage',
  'chat.postEphemeral',
  'chat.update',
  'files.uploadV2',
]);
