import { describe, expect, it } from 'vitest';
import {
  threadMessages,
  threadsOf,
} from '../../../../../src/sandbox/workspace/page/chat/threads.ts';
import { readPlace, writePlace } from '../../../../../src/sandbox/workspace/page/location.ts';
import { markSeen, unreadChannels } from '../../../../../src/sandbox/workspace/page/unread.ts';
import { sampleMessage } from '../../../../support/page-samples.ts';

describe('the place in the hash', () => {
  it.each([
    ['#as=U01ANA&in=C0OPS', { as: 'U01ANA', in: 'C0OPS', thread: null }],
    ['#in=home', { as: null, in: 'home', thread: null }],
    ['', { as: null, in: null, thread: null }],
    ['#as=&in=&x=1', { as: null, in: null, thread: null }],
    ['#as=U1&in=C1&thread=1.5', { as: 'U1', in: 'C1', thread: '1.5' }],
  ])('%s', (hash, place) => {
    expect(readPlace(hash)).toEqual(place);
    expect(readPlace(writePlace(place))).toEqual(place);
  });
});

describe('unread channels', () => {
  const messages = [
    sampleMessage({ channel: 'C1', ts: '10.1' }),
    sampleMessage({ channel: 'C1', ts: '20.1' }),
    sampleMessage({ channel: 'C2', ts: '30.1', userId: 'U1' }),
    sampleMessage({ channel: 'C3', ts: '5.1' }),
  ];

  it('are those with something newer than the opening, by somebody else', () => {
    expect([...unreadChannels(messages, 'U1', {}, 15)]).toEqual(['C1']);
    expect([...unreadChannels(messages, 'U2', {}, 15)]).toEqual(['C1', 'C2']);
  });

  it('are read once looked at, by that person alone', () => {
    const seen = markSeen({}, messages, { person: 'U2', channel: 'C1' });
    expect([...unreadChannels(messages, 'U2', seen, 15)]).toEqual(['C2']);
    expect([...unreadChannels(messages, 'U3', seen, 15)]).toEqual(['C1', 'C2']);
  });

  it('give the same object back when nothing is new', () => {
    const seen = markSeen({}, messages, { person: 'U2', channel: 'C1' });
    expect(markSeen(seen, messages, { person: 'U2', channel: 'C1' })).toBe(seen);
    expect(markSeen(seen, messages, { person: 'U2', channel: 'C9' })).toBe(seen);
  });
});

describe('threads', () => {
  const messages = [
    sampleMessage({ channel: 'C1', ts: '1', threadTs: '1' }),
    sampleMessage({ channel: 'C1', ts: '2', threadTs: '1' }),
    sampleMessage({ channel: 'C1', ts: '3' }),
    sampleMessage({ channel: 'C2', ts: '4' }),
  ];

  it('hang replies below their root', () => {
    expect(threadsOf(messages, 'C1').map(({ root, replies }) => [root.ts, replies.length])).toEqual(
      [
        ['1', 1],
        ['3', 0],
      ],
    );
  });

  it('open with their root first', () => {
    expect(threadMessages(messages, 'C1', '1').map((message) => message.ts)).toEqual(['1', '2']);
  });
});
