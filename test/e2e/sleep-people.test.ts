import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { createLookAt } from '../support/nights.ts';
import type { Person } from '../support/person.ts';
import { createSentCommands } from '../support/sent-commands.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** A Thursday; notices come at 18:30 UTC, stops at 19:00, starts at 06:30. */
const clock = createSettableClock({ start: '2026-11-26T18:00:00.000Z' });
let world: StewardWorld;
let ana: Person;
let ben: Person;

const WORK = 'days: [mon, tue, wed, thu, fri] }, ';
const NIGHTS = `stop: { at: '20:00', ${WORK}start: { at: '07:30', ${WORK}zone: Europe/Berlin, channel: ops, notice: 30m`;
const BY = 'snooze: { by: [operators, leads], most: 3h, times: 2 }';

/** Beside dev-nights: one whose plan was approved, one whose was not, and one that may do all of itself. */
function rules(yaml: string): string {
  const more = [
    `  approved-nights: { services: [analytics], ${NIGHTS}, ${BY}, approved: [leads] }`,
    `  bare-nights: { services: [core], ${NIGHTS} }`,
    `  late-nights: { services: [archive], ${NIGHTS} }`,
  ];
  const allow = [
    "      - { actions: [service.stop, service.start], services: [tag:prod], who: ['schedule:approved-nights', 'schedule:bare-nights'], approval: { by: [leads], within: 30m } }",
    "      - { actions: [service.stop, service.start], services: [archive], who: ['schedule:late-nights'] }",
  ];
  return (
    yaml
      .replace(/^ {4}digest: .*\n/mu, '')
      .replace(/^ {6}- \{ actions: \['\*\.read'\]/mu, `${allow.join('\n')}\n$&`)
      // The notice of dev-nights comes last: its buttons are those that people press.
      .replace('schedules:\n', `schedules:\n${more.join('\n')}\n`)
  );
}

beforeAll(async () => {
  world = await startWorld({ clock, summaries: true, settings: rules });
  ana = world.as('ana').in('#ops');
  ben = world.as('ben').in('#ops');
});
afterAll(() => world.close());

const lookAt = createLookAt(clock, () => world);

const sent = createSentCommands(() => world);

async function reloaded(change: (yaml: string) => string): Promise<void> {
  const count = () =>
    world.logs.filter(({ fields }) => fields['event'] === 'settings-reloaded').length;
  const before = count();
  await world.rewriteRules(change);
  await expect.poll(count).toBe(before + 1);
}

function messagesIn(channel: string, words: RegExp): readonly string[] {
  const id = world.workspace.channelId(channel);
  return world.workspace
    .state('ana')
    .messages.filter((message) => message.channel === id)
    .map(({ text }) => text)
    .filter((text) => words.test(text));
}

describe('what nobody may do to a schedule', () => {
  it('is to pause or resume it without the right', async () => {
    for (const name of ['fay', 'gus']) {
      const other = world.as(name).in('#ops');
      for (const verb of ['pause', 'resume']) {
        await other.command(`/db schedule ${verb} dev-nights`);
        await other.expectEphemeral(/was not (?:paused|resumed)|guest/u);
      }
    }
  });

  it('is to widen what their own rules allow: a schedule of services that are not theirs', async () => {
    for (const verb of ['pause', 'resume']) {
      await ana.command(`/db schedule ${verb} approved-nights`);
      await ana.expectEphemeral(
        /approved-nights was not (?:paused|resumed): analytics is not among/u,
      );
    }
    await ana.command('/db sleep archive tonight 20:00');
    await ana.expectEphemeral(/sleep of archive was not set/u);
    await ana.command('/db schedule');
    await ana.expectEphemeral(/analytics: stops(?![^\n]*paused)/u);
  });
});

describe('a notice', () => {
  it('says what it is expected to save, as an estimate with its method, where costs are known', async () => {
    const there = world.as('fay').in('#finance');
    await there.command('/db cost 2026-10-27..2026-11-25');
    await there.expectEphemeral(/units/u);
    await lookAt('2026-11-26T18:30:00.000Z');
    await ana.expectMessage(
      /dev-nights stops 3 services[\s\S]*Expected to save about [\d.]+ units[^\n]*\(an estimate: for each hour a 24th of the median of comparable days awake/u,
    );
  });

  it('opens the form of Only keep for nobody who may not put it off', async () => {
    for (const name of ['fay', 'gus']) {
      const other = world.as(name).in('#ops');
      await other.click('Only keep …');
      await other.expectEphemeral(/was not delayed|guest|no rule/u);
      expect(other.state.views).toEqual([]);
    }
  });

  it('keeps awake what the form names, and says so in the same message', async () => {
    const notice = await ana.expectMessage(/dev-nights stops 3 services/u);
    expect(notice.text).toContain('dev-nights');
    await ben.click('Only keep …');
    await ben.expectModal(/Put off a stop/u);
    await ben.fill('Stay awake', 'analytics');
    await ben.submit();
    await ben.expectModalError('Stay awake', /analytics does not stop tonight/u);
    await ben.fill('Stay awake', 'staging');
    await ben.submit();
    const told = await ana.expectMessage(/dev-nights stops 2 services[\s\S]*keep 1 service awake/u);
    expect(told.ts).toBe(notice.ts);
    await ana.command('/db log schedule.snooze');
    await ana.expectEphemeral(/schedule\.snooze[\s\S]*ben/u);
  });

  it('takes no word about another channel’s night, whatever the hidden fields of a form say', async () => {
    const there = world.as('ben').in('#finance');
    await there.command('/db schedule snooze dev-nights skip --night 2026-11-26T19:00:00.000Z');
    await there.expectEphemeral(/was not delayed|No stop of dev-nights/u);
    await ana.command('/db schedule snooze approved-nights skip');
    await ana.expectEphemeral(/was not delayed: analytics is not among/u);
  });
});

describe('a schedule whose acts need an approval', () => {
  it('acts where the file says that its plan was approved, and the audit says by whom', async () => {
    await lookAt('2026-11-26T19:00:00.000Z');
    await lookAt('2026-11-26T19:00:10.000Z');
    expect(sent()).toEqual(['analytics stop', 'archive stop', 'reporting stop', 'scratch stop']);
    await ana.expectMessage(/approved-nights asked 1 of 1 service to stop/u);
    const audit = messagesIn('#audit', /schedule:approved-nights/u);
    expect(audit.join()).toMatch(/plan approved in `steward\.yaml` by leads/u);
    await ben.command('/db log service.stop analytics');
    await ben.expectEphemeral(/plan approved in steward\.yaml by leads/u);
  });

  it('is held back where it does not, and that is told', async () => {
    await ana.expectMessage(
      /bare-nights[\s\S]*core is not stopped yet: it needs an approval by leads, which nobody can give/u,
    );
    expect(sent()).toEqual([]);
  });
});

describe('while services sleep', () => {
  it('says at once who woke one, and does not stop it again', async () => {
    clock.set('2026-11-26T20:00:00.000Z');
    await ana.command('/db wake scratch');
    await ana.expectMessage(/ana asked scratch to start/u);
    expect(sent()).toEqual(['scratch start']);
    await lookAt('2026-11-26T20:00:30.000Z');
    await ana.expectMessage(
      /dev-nights[\s\S]*scratch was left alone: @?\S*ana\S* asked it to start/u,
    );
    await lookAt('2026-11-26T21:00:00.000Z');
    expect(sent()).toEqual([]);
  });

  it('tells the channel what a schedule that left the file leaves asleep, once', async () => {
    await reloaded((yaml) =>
      yaml
        .replace(/^ {2}approved-nights: .*\n/mu, '')
        .replace("'schedule:approved-nights', ", '')
        .replace(
          '[service.stop, service.start], services: [archive]',
          '[service.stop], services: [archive]',
        ),
    );
    await lookAt('2026-11-26T21:30:00.000Z');
    await lookAt('2026-11-26T22:00:00.000Z');
    const words = /approved-nights is no longer in|approved-nights\S* is no longer in/u;
    await ana.expectMessage(
      /is no longer in steward\.yaml: nobody starts what it stopped, analytics\.[\s\S]*wake analytics/u,
    );
    expect(messagesIn('#ops', words)).toHaveLength(1);
  });

  it('tells it as well where a right went away, after the start should have come', async () => {
    await lookAt('2026-11-27T06:30:00.000Z');
    expect(sent()).toEqual(['reporting start']);
    await lookAt('2026-11-27T06:45:00.000Z');
    await lookAt('2026-11-27T07:15:00.000Z');
    await ana.expectMessage(
      /late-nights could not start archive yet: what it stopped still sleeps\.[\s\S]*wake archive/u,
    );
    expect(messagesIn('#ops', /could not start/u)).toHaveLength(1);
    expect(sent()).toEqual([]);
  });

  it('takes no word about a night that is over, by its button or by its hidden field', async () => {
    for (const choice of ['skip', 'hour']) {
      await ben.command(
        `/db schedule snooze dev-nights ${choice} --night 2026-11-26T19:00:00.000Z`,
      );
      await ben.expectEphemeral(/dev-nights has begun/u);
    }
  });

  it('counts the hours asleep beside the costs, of Steward’s own ledger', async () => {
    const there = world.as('fay').in('#finance');
    await there.command('/db cost 2026-11-26..2026-11-27 --by service');
    await there.expectEphemeral(
      /Hours asleep, of Steward.s own ledger and not measured by the API: archive 12\.3 h, reporting 11\.5 h, analytics 2\.5 h\./u,
    );
    await there.command('/db cost 2026-11-26..2026-11-27 --by day');
    await there.expectEphemeral(/^(?![\s\S]*Hours asleep)[\s\S]*units/u);
  });
});

describe('wake, where the cloud has no such command', () => {
  it('is another word for start, also in the help', async () => {
    await ana.command('/db help wake');
    await ana.expectEphemeral(/Start a service[\s\S]*\/db start scratch, \/db wake scratch/u);
  });
});

describe('acts of people and of schedules', () => {
  it('a start of its own before a sleep is due does not call it off, one within it does', async () => {
    clock.set('2026-11-27T09:00:00.000Z');
    await ana.command('/db sleep scratch today 12:00 until 14:00');
    await ana.click('Put scratch to sleep');
    await ana.expectMessage(/ana set a sleep: scratch stops/u);
    clock.set('2026-11-27T10:00:00.000Z');
    await ana.command('/db start scratch');
    await expect.poll(sent).toEqual(['scratch start']);
    await lookAt('2026-11-27T11:00:00.000Z');
    expect(sent()).toEqual(['scratch stop']);
    clock.set('2026-11-27T11:30:00.000Z');
    await ana.command('/db start scratch');
    await expect.poll(sent).toEqual(['scratch start']);
    await lookAt('2026-11-27T13:00:00.000Z');
    expect(sent()).toEqual([]);
    await ana.expectMessage(
      /sleep that[\s\S]*scratch was left alone: @?\S*ana\S* asked it to start/u,
    );
  });

  it('what a set sleep started is nobody’s own act: the schedule stops it', async () => {
    clock.set('2026-11-27T17:00:00.000Z');
    await ana.command('/db sleep staging 18:30 until 19:45');
    await ana.click('Put staging to sleep');
    await ana.expectMessage(/ana set a sleep: staging stops/u);
    await lookAt('2026-11-27T17:30:00.000Z');
    await lookAt('2026-11-27T18:30:00.000Z');
    await lookAt('2026-11-27T18:45:00.000Z');
    expect(sent()).toEqual(['staging start', 'staging stop']);
    await lookAt('2026-11-27T19:00:00.000Z');
    expect(sent()).toContain('staging stop');
  });
});
