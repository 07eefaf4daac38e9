import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { createLookAt } from '../support/nights.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** A Thursday; the notice of dev-nights comes at 18:30 UTC, its stop at 19:00. */
const clock = createSettableClock({ start: '2026-11-26T18:00:00.000Z' });
let world: StewardWorld;
let ana: Person;
let ben: Person;

/** Finance may say everything to schedules, in its own channel; Ana may set any sleep, and stop what is dev. */
function rules(yaml: string): string {
  return yaml
    .replace(/^ {4}digest: .*\n/mu, '')
    .replace("['*.read', 'digest.*']", "['*.read', 'schedule.*', service.sleep]")
    .replace('service.sleep, ', '')
    .replace(
      "      - { actions: ['schedule.*']",
      '      - { actions: [service.sleep], who: [operators] }\n$&',
    );
}

beforeAll(async () => {
  world = await startWorld({ clock, summaries: true, settings: rules });
  ana = world.as('ana').in('#ops');
  ben = world.as('ben').in('#ops');
});
afterAll(() => world.close());

const lookAt = createLookAt(clock, () => world);

function commands(): readonly string[] {
  return world.plane
    .requests()
    .filter(({ method }) => method === 'PATCH')
    .map(({ body }) => (body as { readonly command: string }).command);
}

describe('a notice', () => {
  it('says what stops, until when, with its buttons', async () => {
    await lookAt('2026-11-26T18:30:00.000Z');
    const notice = await ana.expectMessage(/dev-nights stops 3 services/u);
    expect(JSON.stringify(notice.blocks)).toMatch(/Not tonight.*In 1 hour.*Only keep/u);
  });

  it('is not put off by somebody without the right, nor by a guest', async () => {
    const others = [world.as('fay'), world.as('gus')].map((one) => one.in('#ops'));
    for (const other of others) {
      await other.command('/db schedule snooze dev-nights skip');
      await other.expectEphemeral(/was not delayed|Only|guest|not in/u);
    }
    // Its own buttons are judged the same.
    for (const other of others) await other.click('Not tonight');
    for (const other of others) await other.expectEphemeral(/was not delayed|guest|no rule/u);
    await ana.expectMessage(/dev-nights stops 3 services/u);
  });

  it('is not put off from another channel, whatever may be said there', async () => {
    const there = world.as('ben').in('#finance');
    await there.command('/db schedule snooze dev-nights skip');
    await there.expectEphemeral(/No stop of dev-nights is announced in this channel/u);
    await there.command('/db schedule pause dev-nights');
    await there.expectEphemeral(/No schedule dev-nights belongs to this channel/u);
  });

  it('keeps awake what somebody names, and says so in the same message', async () => {
    await ben.command('/db schedule snooze dev-nights keep staging');
    await ana.expectMessage(/dev-nights stops 2 services[\s\S]*keep 1 service awake/u);
  });

  it('cannot be put off once it has begun', async () => {
    await lookAt('2026-11-26T19:00:00.000Z');
    expect(commands()).toEqual(['stop', 'stop']);
    await ana.expectMessage(/scratch was asked to stop[\s\S]*staging stays awake/u);
    await ben.command('/db schedule snooze dev-nights skip');
    await ben.expectEphemeral(/dev-nights has begun/u);
  });

  it('wakes in the morning what it stopped', async () => {
    await lookAt('2026-11-27T06:30:00.000Z');
    expect(commands()).toEqual(['stop', 'stop', 'start', 'start']);
    await ana.expectMessage(/scratch was asked to start/u);
  });
});

describe('a sleep that somebody sets', () => {
  it('is never more than the own rules allow', async () => {
    await ana.command('/db sleep analytics for 3h');
    await ana.expectEphemeral(
      /sleep of analytics was not set: service\.stop on it needs an approval/u,
    );
    expect(commands()).toHaveLength(4);
  });

  it('is echoed with date and zone before it is set, and runs as its asker', async () => {
    await ana.command('/db sleep scratch tomorrow 12:00 for 2h');
    await ana.expectEphemeral(/Sat 28 Nov 12:00 until Sat 28 Nov 14:00 \(Europe\/Berlin\)/u);
    await ana.click('Put scratch to sleep');
    await ana.expectMessage(/ana set a sleep: scratch stops/u);
    await ana.command('/db schedule');
    await ana.expectEphemeral(/scratch: stops[\s\S]*set by @ana/u);
    // A day without the schedule: its own evening is paused.
    await ben.command('/db schedule pause dev-nights until sun');
    await ben.click('Pause');
    await ana.expectMessage(/ben paused dev-nights/u);
    await lookAt('2026-11-28T11:00:00.000Z');
    expect(commands().slice(4)).toEqual(['stop']);
    await lookAt('2026-11-28T13:00:00.000Z');
    expect(commands().slice(4)).toEqual(['stop', 'start']);
  });

  it('is not run where the rules no longer allow it, and that is told', async () => {
    await ana.command('/db sleep scratch tomorrow 12:00');
    await ana.click('Put scratch to sleep');
    await ana.expectMessage(/scratch stops 29 Nov/u);
    await world.rewriteRules((yaml) =>
      yaml.replace(
        'services: [tag:dev], who: [operators, leads] }',
        'services: [tag:dev], who: [leads] }',
      ),
    );
    await expect
      .poll(() => JSON.stringify(world.logs).includes('settings-reloaded'), { timeout: 10_000 })
      .toBe(true);
    await lookAt('2026-11-29T11:00:00.000Z');
    expect(commands()).toHaveLength(6);
    await ana.expectMessage(
      /scratch is not stopped yet: scratch is not among the services of the rules/u,
    );
  });
});
