import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
const clock = createSettableClock({ ticking: true, start: '2026-11-27T07:58:00.000Z' });

beforeAll(async () => {
  world = await startWorld({ clock, summaries: true });
}, 30_000);
afterAll(() => world.close());

const summaries = () =>
  world.workspace
    .state('fay')
    .messages.filter(
      ({ channel, text }) => channel === 'C0FINANCE' && text.includes('Month to date'),
    );

describe('the cost summary of #finance, in the whole bot', () => {
  it('says when it comes, and shows it to one person on request', async () => {
    const fay = world.as('fay').in('#finance');
    await fay.command('/db digest status');
    await fay.expectEphemeral(/comes every day at 09:00 Europe\/Berlin/);
    await fay.command('/db digest now');
    await fay.expectEphemeral(/Thu 26 Nov \(UTC\): .*units.*provisional/);
    expect(summaries().filter(({ ephemeral }) => !ephemeral)).toEqual([]);
  });

  it('arrives once at nine, however often it is looked for', async () => {
    clock.advance('PT3M');
    await Promise.all([world.steward.summarise(), world.steward.summarise()]);
    await world.steward.summarise();
    expect(summaries().filter(({ ephemeral }) => !ephemeral)).toHaveLength(1);
    await world.restart();
    await world.steward.summarise();
    expect(summaries().filter(({ ephemeral }) => !ephemeral)).toHaveLength(1);
  });

  it('has a button to its services, judged as if it were typed', async () => {
    const fay = world.as('fay').in('#finance');
    await fay.click('By service');
    await fay.expectEphemeral(/Thu 26 Nov 2026 \(UTC\): .* units/);
  });

  it('is silent for a week about what somebody muted, and its numbers stay', async () => {
    const fay = world.as('fay').in('#finance');
    expect(summaries().at(-1)?.text).toContain('Unusual: *scratch*');
    await fay.click('Mute scratch for a week');
    await fay.expectMessage(/@fay muted cost alerts for .*scratch/);
    await fay.command('/db digest now');
    await expect.poll(() => summaries().at(-1)?.text).not.toContain('Unusual');
    expect(summaries().at(-1)?.text).toContain('scratch');
    await fay.command('/db digest status');
    await fay.expectEphemeral(/scratch is muted until/);
    await fay.click('Unmute scratch');
    await fay.expectMessage(/@fay turned on again the cost alerts for scratch/);
    await fay.command('/db digest mute scratch --off');
    await fay.expectEphemeral(/scratch is not muted in the cost summary/);
  });

  it('is turned off and on again at another time by those who may', async () => {
    const fay = world.as('fay').in('#finance');
    await fay.command('/db digest off');
    await fay.expectMessage(/@fay turned off the cost summary/);
    clock.advance('P1D');
    await world.steward.summarise();
    expect(summaries().filter(({ ephemeral }) => !ephemeral)).toHaveLength(1);
    await fay.command('/db digest on 7:30 Australia/Sydney');
    await fay.expectMessage(
      /@fay turned on the cost summary .*every day at 07:30 Australia\/Sydney/,
    );
    await world.as('ana').in('#random').command('/db digest on');
    await world
      .as('ana')
      .in('#random')
      .expectEphemeral(/The cost summary was not started/);
  });

  it('becomes final in its own message, with a reply', async () => {
    clock.advance('P3D');
    await world.steward.summarise();
    const [first] = summaries().filter(({ ephemeral }) => !ephemeral);
    expect(first?.text).toMatch(/Thu 26 Nov \(UTC\): \*[\d.]+ units\*, final/);
    const replies = world.workspace
      .state('fay')
      .messages.filter((message) => message.threadTs === first?.ts && message.ts !== first?.ts);
    expect(replies.map(({ text }) => text)).toEqual([expect.stringMatching(/^Final for 26 Nov: /)]);
  });
});
