import { describe, expect, it } from 'vitest';
import { createSurroundings } from '../../../src/app/troubles.ts';
import { createCurrentSettings } from '../../../src/config/watch.ts';
import { TROUBLE_KINDS, troubleText } from '../../../src/core/ports/troubles.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import { channelOf, settingsOf } from '../policy/policy-fixtures.ts';

const NOW = '2026-11-28T10:00:00.000Z';

function rules(...actions: readonly string[]) {
  return createCurrentSettings(settingsOf([channelOf('ops', [{ actions, who: ['anyone'] }])]));
}

function surroundings(settings = rules('*')) {
  const clock = createTestClock(NOW);
  const { logger, lines } = createRecordingLogger();
  return { ...createSurroundings({ settings, clock, logger }), clock, lines };
}

describe('troubles', () => {
  it('are logged once a minute each, however often they show', async () => {
    const { troubles, clock, lines } = surroundings();
    for (let second = 0; second < 130; second += 1) {
      troubles.note('scope', 'usergroups:read');
      await clock.advance(1_000);
    }
    expect(lines).toHaveLength(3);
    expect(troubles.all()).toMatchObject([{ since: NOW, seen: '2026-11-28T10:02:09.000Z' }]);
  });

  it('a limit is over by itself, everything else when an answer shows it', async () => {
    const { troubles, clock } = surroundings();
    troubles.note('rate-limit', 'chat.postMessage');
    troubles.note('archived', 'C0OPS');
    await clock.advance(61_000);
    expect(troubles.all()).toMatchObject([{ kind: 'archived' }]);
    troubles.clear('archived', 'C0OPS');
    expect(troubles.all()).toEqual([]);
  });

  it.each([
    [61, 'behind'],
    [3_600, 'behind'],
    [-61, 'ahead of'],
    [59, undefined],
    [-59, undefined],
  ])('Slack is %s s ahead of this host: %s', (seconds, way) => {
    const { watch, troubles, clock } = surroundings();
    watch.slackTime(`${clock.now().toSeconds() + seconds}.000100`);
    expect(troubles.all().map(({ subject }) => subject)).toEqual(way === undefined ? [] : [way]);
    watch.slackTime(`${clock.now().toSeconds()}.000200`);
    expect(troubles.all()).toEqual([]);
  });

  it('a message without a time says nothing of the clock', () => {
    const { watch, troubles } = surroundings();
    watch.slackTime('');
    expect(troubles.all()).toEqual([]);
  });

  it('each has words of its own', () => {
    const words = TROUBLE_KINDS.map((kind) => JSON.stringify(troubleText({ kind, subject: 'X' })));
    expect(new Set(words).size).toBe(TROUBLE_KINDS.length);
  });
});

describe('what another replica says', () => {
  const heard = (said: unknown) => ({ othersSaid: async () => [said] });

  it('is told with the own ones, each once', async () => {
    const [one, two] = [surroundings(), surroundings()];
    one.troubles.note('archived', 'C0AUDIT');
    two.troubles.note('archived', 'C0AUDIT');
    two.troubles.note('rules', '2 problems');
    const all = await one.report.all(heard(two.report.own()), one.clock);
    expect(all.map(({ kind }) => kind).sort()).toEqual(['archived', 'rules']);
  });

  it('other rules are named; a report of another version is left out', async () => {
    const one = surroundings();
    const other = surroundings(rules('*.read'));
    const all = await one.report.all(heard(other.report.own()), one.clock);
    expect(all).toMatchObject([{ kind: 'rules-differ' }]);
    expect(await one.report.all(heard({ some: 'thing' }), one.clock)).toEqual([]);
    expect(await one.report.all(heard(null), one.clock)).toEqual([]);
  });
});
