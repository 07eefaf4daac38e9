import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const LINK = /archives\/C0OPS\/p\d+/u;

describe('the journal answers questions', () => {
  let world: StewardWorld;
  const ana = () => world.as('ana').in('#ops');
  const ben = () => world.as('ben').in('#ops');
  const audit = () => world.as('ben').in('#audit');
  const shown = async (line: string, words: RegExp): Promise<string> => {
    await ben().command(`/db log ${line}`);
    return ben().text(await ben().expectEphemeral(words));
  };

  beforeAll(async () => {
    world = await startWorld();
    await ana().command('/db start scratch');
    await ben().expectMessage(/@ana asked scratch to start/);
    await ben().command('/db invite fay@example.com');
    await ben().click('Invite fay@example.com');
    await ben().expectMessage(/invited fay@example\.com/);
    await ben().command('/db create nightly --preset small --ip-access-list 203.0.113.7');
    await ben().submit();
    await ben().expectMessage(/@ben created nightly/);
    await ana().command('/db stop analytics --reason nightly restore');
    await ben().click('Deny');
    await ben().submit();
    await ben().expectMessage(/analytics was not stopped: denied by @ben/);
    await ana().command('/db services');
    await ana().expectEphemeral(/8 services/);
  });
  afterAll(() => world.close());

  it('by lines of the audit channel that say what was done to what, and lead to the message', async () => {
    for (const words of [
      /done service\.start · scratch · @ana in #ops/,
      /done invitation\.create · fay@example\.com in acme · @ben in #ops/,
      /denied service\.stop · analytics was not stopped/,
    ]) {
      const message = await audit().expectMessage(words);
      expect(JSON.stringify(message.blocks)).toMatch(LINK);
    }
  });

  it.each([
    ['', /^\d rows of the journal, newest first/],
    [
      '@ana start',
      /^1 row of the journal \(service\.start, by @ana\)[\s\S]*done service\.start · scratch/,
    ],
    [
      'scratch ok today',
      /^1 row of the journal of scratch \(ok, since .*done service\.start · scratch/s,
    ],
    [
      'analytics waiting',
      /^1 row .*approval service\.stop · analytics · .*reason: nightly restore/s,
    ],
    ['@ben denied', /^1 row .*request denied service\.stop · of journal \d+ · @ben/s],
    ['invite', /done invitation\.create · fay@example\.com in acme · @ben/],
    [
      'nightly',
      /^2 rows of the journal of nightly,.*done service\.create · nightly in acme · @ben/s,
    ],
    ['FAY@example.com', /^1 row .*of fay@example\.com,.*done invitation\.create/s],
    ['lost@example.com', /^No row of lost@example\.com matches/],
    ['prod', /^\d rows? of the journal of analytics.*approval service\.stop · analytics/s],
    ['zzzz', /Not understood: zzzz\. No row has the reference zzzz\. It takes people/],
    ['services', /^1 row .*done directory\.read/s],
    ['failed', /^No row \(failed\) matches/],
    ['unknown 2026-01-01', /^No row \(unknown, since .* matches/],
    [
      'scratch please',
      /^The journal was not read: Not understood: please\. It takes people|Not understood: please\./,
    ],
  ])('log %s', async (line, words) => {
    const text = await shown(line, words);
    if (line === '') expect(text).not.toMatch(/directory\.read|journal\.read| confirm | form /);
  });

  it('by the reference that stands with each entry, and by rows with the way to older ones', async () => {
    const line = ben().text(await audit().expectMessage(/done service\.start/));
    const reference = /journal \d+ \((\w{4})\)/u.exec(line)?.[1] ?? '';
    await shown(reference, new RegExp(`^1 row .*reference ${reference}.*service\\.start`, 's'));
    await shown('1', /^1 of \d rows of the journal[\s\S]*request denied/);
    await ben().click('Older rows');
    await ben().expectEphemeral(
      /^1 of \d rows of the journal \(before \d+\)[\s\S]*approval service\.stop/,
    );
  });

  it('and links its rows to their messages', async () => {
    await ben().command('/db log');
    const message = await ben().expectEphemeral(/^\d rows of the journal, newest/);
    expect(JSON.stringify(message.blocks).match(new RegExp(LINK, 'gu'))?.length).toBeGreaterThan(2);
  });
});
