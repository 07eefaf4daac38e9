import { ErrorCode } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import type { ChannelCard } from '../../../src/core/card/card.ts';
import { AppError } from '../../../src/core/cloud/errors.ts';
import { climbDown } from '../../../src/slack/outbound/delivery/ladder.ts';
import { type Letter, stepsFor } from '../../../src/slack/outbound/delivery/ways.ts';
import type { SlackWeb } from '../../../src/slack/web/web.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const CARD: ChannelCard = { audience: 'channel', tone: 'plain', headline: ['It was done.'] };
const MESSAGE = { channelId: 'C0OPS', ts: '1.1' };
const ASKED: Letter = {
  card: CARD,
  to: {
    actor: { userId: 'U01ANA', teamId: 'T0ACME' },
    place: { channelId: 'C0OPS' },
    responseUrl: 'https://hooks.example.com/1',
  },
  message: MESSAGE,
  steps: stepsFor('channel', true),
  mark: { id: 'n-1', at: '2026-11-28T10:00:00.000Z' },
  auditChannel: 'C0AUDIT',
};

const refused = (error: string) =>
  new AppError('slack', { userMessage: '', cause: { data: { error } } });
const lost = () => new AppError('slack', { userMessage: '', cause: { statusCode: 500 } });
const unsent = () =>
  new AppError('slack', {
    userMessage: '',
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  });
const limited = (seconds: number) =>
  new AppError('slack', {
    userMessage: '',
    cause: { code: ErrorCode.RateLimitedError, retryAfter: seconds },
  });

type Call = 'update' | 'post' | 'respond' | 'ephemeral' | 'audit' | 'direct' | 'auth' | 'history';
/** What each call meets, one after the other; nothing: it is taken. */
type Script = Partial<Record<Call, readonly (AppError | undefined)[]>>;

/** Slack with a script; `told` is what it took, with whether it says that it may be a repetition. */
function slack(script: Script, history: readonly string[] | 'cannot' = 'cannot') {
  const left = new Map(Object.entries(script).map(([call, met]) => [call, [...met]]));
  const told: string[] = [];
  const meet = (call: Call, message?: unknown): void => {
    const fault = left.get(call)?.shift();
    if (fault !== undefined) throw fault;
    if (message === undefined) return;
    const again = JSON.stringify(message).includes('Perhaps a repetition') ? ' again' : '';
    told.push(`${call}${again}`);
  };
  const callOf = (to: string): Call =>
    to === 'C0AUDIT' ? 'audit' : to.startsWith('U') ? 'direct' : 'post';
  const web = {
    authTest: async () => meet('auth'),
    post: async (to: string, message: unknown) => {
      meet(callOf(to), message);
      return { channelId: to, ts: '2.2' };
    },
    update: async (_channel: string, _ts: string, message: unknown) => meet('update', message),
    respond: async (_url: string, answer: unknown) => meet('respond', answer),
    postEphemeral: async (_channel: string, _user: string, message: unknown) =>
      meet('ephemeral', message),
    history: async () => {
      if (history === 'cannot') throw refused('missing_scope');
      const messages = history.map((id) => ({
        ts: '2.2',
        metadata: { event_type: 'steward_notification', event_payload: { id } },
      }));
      return { messages };
    },
  } as unknown as SlackWeb;
  const clock = { ...createTestClock('2026-11-28T10:00:00.000Z'), sleep: async () => undefined };
  const deps = {
    ...{ web, clock, logger: silentLogger, scrub: (text: string) => text },
    richness: { get: async () => 'native' as const, lower: async () => 'text' as const },
  };
  return { deps, told };
}

describe('a certain refusal', () => {
  const no = [refused('is_archived')];
  it.each([
    ['update', {}, ['update']],
    ['post', { update: no }, ['post']],
    ['response-url', { update: no, post: no }, ['respond']],
    ['ephemeral', { update: no, post: no, respond: no }, ['ephemeral']],
    ['direct', { update: no, post: no, respond: no, ephemeral: no }, ['direct']],
    ['audit', { update: no, post: no, respond: no, ephemeral: no, direct: no }, ['audit']],
  ] as const)('goes one step down, as far as %s', async (by, script, taken) => {
    const { deps, told } = slack(script);
    expect(await climbDown(ASKED, deps)).toMatchObject({ state: 'told', by });
    expect(told).toEqual(taken);
  });

  it('of every step leaves it undelivered, and says what was tried', async () => {
    const all = { update: no, post: no, respond: no, ephemeral: no, direct: no, audit: no };
    const { deps, told } = slack(all);
    const end = await climbDown(ASKED, deps);
    expect(end).toMatchObject({ state: 'undelivered' });
    expect(JSON.stringify(end)).toMatch(
      /update: is_archived; post: is_archived; .*audit: is_arch/u,
    );
    expect(told).toEqual([]);
  });
});

describe('doubt', () => {
  it('about an update is tried again: it cannot stand there twice', async () => {
    const { deps, told } = slack({ update: [lost(), lost()] });
    expect(await climbDown(ASKED, deps)).toMatchObject({ state: 'told', by: 'update' });
    expect(told).toEqual(['update']);
  });

  it('about a post is looked into where the bot may read', async () => {
    const there = slack({ update: [refused('message_not_found')], post: [lost()] }, ['n-1']);
    expect(await climbDown(ASKED, there.deps)).toMatchObject({ state: 'told', by: 'post' });
    expect(there.told).toEqual([]);
    const not = slack({ update: [refused('message_not_found')], post: [lost()] }, ['n-2']);
    expect(await climbDown(ASKED, not.deps)).toMatchObject({ state: 'told', by: 'post' });
    expect(not.told).toEqual(['post']);
  });

  it('about a post that nobody can look for is told once more, by another step, and says so', async () => {
    const { deps, told } = slack({ update: [refused('message_not_found')], post: [lost()] });
    expect(await climbDown(ASKED, deps)).toMatchObject({ state: 'told', by: 'response-url' });
    expect(told).toEqual(['respond again']);
  });

  it('twice waits for 40 s before the last chance, and three times end it', async () => {
    const script = { update: [refused('message_not_found')], post: [lost()], respond: [lost()] };
    const { deps, told } = slack(script);
    const end = await climbDown(ASKED, deps);
    expect(end).toMatchObject({ state: 'later', inMs: 40_000, progress: { perhapsTold: true } });
    if (end.state !== 'later') throw new TypeError('unreachable');
    expect(await climbDown(ASKED, deps, end.progress)).toMatchObject({ state: 'told' });
    expect(told).toEqual(['ephemeral again']);

    const down = slack({ ephemeral: [lost()] });
    const last = await climbDown(ASKED, down.deps, end.progress);
    expect(last).toMatchObject({ state: 'undelivered' });
    expect(JSON.stringify(last)).toContain('perhaps it stands there');
  });

  it('while nothing answers waits, so that the repetition is not lost as well', async () => {
    const { deps, told } = slack({
      update: [refused('message_not_found')],
      post: [lost()],
      auth: [lost()],
    });
    const end = await climbDown(ASKED, deps);
    expect(end).toMatchObject({ state: 'later', inMs: 1_000, progress: { perhapsTold: true } });
    expect(told).toEqual([]);
    if (end.state !== 'later') throw new TypeError('unreachable');
    expect(await climbDown(ASKED, deps, end.progress)).toMatchObject({ state: 'told' });
    expect(told).toEqual(['respond again']);
  });

  it('left by a process that is gone is repeated by the same step, and says so', async () => {
    const { deps, told } = slack({});
    const progress = { step: 1, doubts: 0, endings: 0, attempts: 0, perhapsTold: true };
    expect(await climbDown(ASKED, deps, progress)).toMatchObject({ state: 'told', by: 'post' });
    expect(told).toEqual(['post again']);
  });

  it('on the way of what is owed to the channel ends it: people have heard', async () => {
    const { deps, told } = slack({});
    const progress = { step: 1, doubts: 0, endings: 1, attempts: 1, perhapsTold: true };
    const end = await climbDown(ASKED, deps, { ...progress, told: 'response-url' });
    expect(end).toEqual({ state: 'told', by: 'response-url' });
    expect(told).toEqual([]);
  });
});

describe('what Slack asks to wait for', () => {
  it('waits as a row, while people hear by another step', async () => {
    const { deps, told } = slack({
      update: [refused('message_not_found')],
      post: [limited(1_140)],
    });
    // Everybody of the channel reads the answer of a response URL.
    expect(await climbDown(ASKED, deps)).toMatchObject({ state: 'told', by: 'response-url' });
    expect(told).toEqual(['respond']);
  });

  it('is owed to a card that still says something else', async () => {
    const { deps, told } = slack({ update: [limited(1_140)] });
    const end = await climbDown(ASKED, deps);
    expect(end).toMatchObject({ state: 'later', inMs: 1_140_000, progress: { told: 'post' } });
    if (end.state !== 'later') throw new TypeError('unreachable');
    expect(await climbDown(ASKED, deps, end.progress)).toEqual({
      ...{ state: 'told', by: 'post', message: MESSAGE },
    });
    expect(told).toEqual(['post', 'update']);
  });

  it('waits at the bottom where no other step is left', async () => {
    const { deps } = slack({ post: [limited(60)] });
    const letter: Letter = { ...ASKED, steps: ['post'] };
    expect(await climbDown(letter, deps)).toMatchObject({ state: 'later', inMs: 60_000 });
  });
});

it('that never left is the same step again, after pauses that grow up to half an hour', async () => {
  const pauses: number[] = [];
  let progress = { step: 1, doubts: 0, endings: 0, attempts: 0, perhapsTold: false };
  for (let n = 0; n < 13; n += 1) {
    const { deps } = slack({ post: [unsent()] });
    const end = await climbDown(ASKED, deps, progress);
    if (end.state !== 'later') throw new TypeError(`It ended: ${JSON.stringify(end)}`);
    pauses.push(end.inMs / 1_000);
    progress = { ...progress, ...end.progress };
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_800, 1_800]);
});
