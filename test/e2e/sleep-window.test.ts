import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { createLookAt } from '../support/nights.ts';
import type { Person } from '../support/person.ts';
import { createSentCommands } from '../support/sent-commands.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** A Monday; notices come at 18:30 UTC, stops at 19:00, starts at 06:30. */
const clock = createSettableClock({ start: '2026-11-23T18:00:00.000Z' });
let world: StewardWorld;
let ana: Person;

beforeAll(async () => {
  world = await startWorld({
    clock,
    summaries: true,
    settings: (yaml) =>
      yaml
        .replace(/^ {4}digest: .*\n/mu, '')
        .replace('services: [tag:dev], stop:', 'services: [scratch], stop:')
        // Whatever anyone may do, a schedule may not.
        .replace(
          "      - { actions: ['*.read']",
          '      - { actions: [service.start], services: [analytics], who: [anyone] }\n$&',
        ),
  });
  ana = world.as('ana').in('#ops');
});
afterAll(() => world.close());

const sent = createSentCommands(() => world);

const lookAt = createLookAt(clock, () => world);

/** Nobody is there until a moment. */
async function awayUntil(iso: string): Promise<void> {
  await world.restart(() => void clock.set(iso));
  await lookAt(iso);
}

describe('a stop that the API does not take', () => {
  it('is tried until its window ends, ever more rarely, then told as what it is', async () => {
    await lookAt('2026-11-23T18:30:00.000Z');
    await ana.expectMessage(/dev-nights stops 1 service/u);
    world.plane.faults.add({ kind: 'status', status: 503 });
    const times: string[] = [];
    const end = Date.parse('2026-11-24T06:45:00Z');
    for (let at = Date.parse('2026-11-23T19:00:00Z'); at <= end; at += 60_000) {
      const iso = new Date(at).toISOString();
      await lookAt(iso);
      for (const command of sent()) times.push(`${iso.slice(11, 16)} ${command}`);
      if (at === Date.parse('2026-11-23T19:05:00Z')) {
        await ana.expectMessage(
          /scratch is not stopped yet: the API failed with status 503\. It is tried again until/u,
        );
      }
    }
    const stops = times.filter((time) => time.endsWith('stop')).map((time) => time.slice(0, 5));
    expect(stops.slice(0, 7)).toEqual([
      '19:00',
      '19:01',
      '19:03',
      '19:07',
      '19:15',
      '19:31',
      '20:01',
    ]);
    expect(stops.at(-1)).toBe('06:01');
    await ana.expectMessage(
      /scratch may have been stopped: the API failed with status 503\. It is not sent again; check/u,
    );
    // As it may have been stopped, it is started.
    expect(times.at(-1)).toBe('06:45 scratch start');
    await ana.expectMessage(
      /scratch is not started yet: the API failed with status 503\. It is tried/u,
    );
    world.plane.faults.clear();
    await lookAt('2026-11-24T07:01:00.000Z');
    expect(sent()).toEqual(['scratch start']);
  }, 120_000);

  it('is told as not done where the API said so, and nothing is started', async () => {
    await lookAt('2026-11-24T18:30:00.000Z');
    world.plane.faults.add({ kind: 'status', status: 403 });
    for (const hour of ['19', '22']) await lookAt(`2026-11-24T${hour}:00:00.000Z`);
    expect(sent()).toEqual(['scratch stop', 'scratch stop']);
    await lookAt('2026-11-25T06:31:00.000Z');
    await ana.expectMessage(
      /scratch was not stopped: the key may not do this[^\n]* It is not tried again\./u,
    );
    expect(sent()).toEqual([]);
    world.plane.faults.clear();
  });
});

describe('what was missed while nobody was there', () => {
  it('is made up within half an hour, and marked late', async () => {
    await lookAt('2026-11-25T18:30:00.000Z');
    await awayUntil('2026-11-25T19:29:00.000Z');
    expect(sent()).toEqual(['scratch stop']);
    await ana.expectMessage(/scratch was asked to stop, [^\n]*, 29 min late\./u);
  });

  it('is a start that is made up until the next stop', async () => {
    await awayUntil('2026-11-26T18:00:00.000Z');
    expect(sent()).toEqual(['scratch start']);
    await ana.expectMessage(/scratch was asked to start, [^\n]*, 690 min late\./u);
  });

  it('is a stop that is skipped after half an hour, and that is told', async () => {
    await lookAt('2026-11-26T18:30:00.000Z');
    await awayUntil('2026-11-26T19:31:00.000Z');
    await ana.expectMessage(/dev-nights stopped nothing, [^\n]*: Steward was not running then\./u);
    // Also where nobody had given notice of it.
    await awayUntil('2026-11-27T19:45:00.000Z');
    await ana.expectMessage(
      /dev-nights stopped nothing, 27 Nov 2026, 19:00 UTC: Steward was not running then\./u,
    );
    expect(sent()).toEqual([]);
  });
});

describe('can', () => {
  it('knows what a schedule may do, which anyone does not mean', async () => {
    await ana.command('/db can schedule:dev-nights stop scratch');
    await ana.expectEphemeral(/schedule:dev-nights may use service\.stop on scratch here/u);
    for (const deed of ['stop analytics', 'start analytics', 'create']) {
      await ana.command(`/db can schedule:dev-nights ${deed}`);
      await ana.expectEphemeral(
        new RegExp(`schedule:dev-nights may not use service\\.${deed.split(' ')[0]}`, 'u'),
      );
    }
    await ana.command('/db can start analytics');
    await ana.expectEphemeral(/[Yy]ou may use service\.start on analytics/u);
  });
});
