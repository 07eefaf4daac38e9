import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import {
  besiege,
  besiegedRules,
  expectRefused,
  expectRow,
  person,
  press,
  type Row,
  type Siege,
  sendCommand,
} from '../support/attacks.ts';
import { createLookAt } from '../support/nights.ts';

/** A Thursday; notices come at 18:30 UTC, stops at 19:00. */
const clock = createSettableClock({ start: '2026-11-26T18:00:00.000Z' });
const NIGHT = '2026-11-26T19:00:00.000Z';
let siege: Siege;

/** Beside dev-nights: one of #partners, whose notice outsiders see, and where everybody may say everything. */
function rules(yaml: string): string {
  const times = "at: '20:00', days: [thu]";
  return besiegedRules(yaml)
    .replace(/^ {4}digest: .*\n/mu, '')
    .replace(
      'by: [leads], within: 30m } }\nlimits',
      "by: [leads], within: 30m } }\n      - { actions: ['schedule.*'], who: [anyone, external, guests] }\nlimits",
    )
    .replace(
      'schedules:\n',
      `schedules:\n  partner-nights: { services: [archive], stop: { ${times} }, zone: Europe/Berlin, channel: partners, notice: 30m, snooze: { by: [operators], most: 3h, times: 2 } }\n`,
    );
}

beforeAll(async () => {
  siege = await besiege({ clock, summaries: true, settings: rules });
  await lookAt('2026-11-26T18:30:00.000Z');
});
afterAll(() => siege.close());

const lookAt = createLookAt(clock, () => siege.world);

/** The value of a button of the newest message of a night. */
async function button(label: string, schedule = 'dev-nights', reader = 'ana'): Promise<string> {
  const place = schedule === 'dev-nights' ? '#ops' : '#partners';
  const notice = await siege.world.as(reader).in(place).expectMessage(new RegExp(schedule, 'u'));
  const elements = JSON.stringify(notice.blocks).matchAll(
    /"text":"([^"]+)"[^{}]*\}[^{}]*"value":"((?:[^"\\]|\\.)*)"/gu,
  );
  const found = [...elements].find(([, text]) => text === label)?.[2];
  if (found === undefined) throw new Error(`No button ${label}.`);
  return JSON.parse(`"${found}"`) as string;
}

function inChannel(id: string): Json {
  return {
    container: { type: 'message', message_ts: '1.0', channel_id: id, is_ephemeral: false },
    channel: { id, name: id.slice(2).toLowerCase() },
  };
}

const SNOOZE = { operation: 'schedule.snooze' } as const;
const by = (userId: string, teamId = 'T0ACME') =>
  ({ actor: expect.objectContaining({ userId, teamId }) }) as Row;

async function told(name: string, place: string, words: RegExp): Promise<void> {
  await siege.world.as(name).in(place).expectEphemeral(words);
}

describe('a notice, before its window', () => {
  it.each([
    ['a guest', 'gus', 'U04GUS', /guest/u],
    ['a member without the right', 'fay', 'U03FAY', /was not delayed|Only/u],
  ])('is not put off by %s, who is told', async (_who, name, id, words) => {
    for (const label of ['Not tonight', 'In 1 hour']) {
      const value = await button(label);
      const edit = { ...person(id), ...inChannel('C0OPS') };
      await expectRefused(siege, () => press(siege, value, edit), {
        ...{ ...SNOOZE, outcome: 'denied' },
        ...by(id),
      });
    }
    await told(name, '#ops', words);
    for (const line of ['skip', 'hour', 'keep staging', `skip --night ${NIGHT}`]) {
      const command = `schedule snooze dev-nights ${line}`;
      await expectRefused(
        siege,
        () => sendCommand(siege, command, { user_id: id, user_name: name }),
        { ...SNOOZE, outcome: 'denied', ...by(id) },
      );
    }
  });

  it('is not put off by an outsider, though the rules of the channel let everybody: snooze.by decides', async () => {
    const value = await button('Not tonight', 'partner-nights');
    const outsider = { ...person('U05OLA', 'T0OTHER'), ...inChannel('C0PARTNER') };
    await expectRefused(siege, () => press(siege, value, outsider), {
      ...{ ...SNOOZE, outcome: 'denied' },
      ...by('U05OLA', 'T0OTHER'),
    });
    await told('ola', '#partners', /Only operators can put off partner-nights/u);
    const guest = { ...person('U04GUS'), ...inChannel('C0PARTNER') };
    await expectRefused(siege, () => press(siege, value, guest), {
      ...{ ...SNOOZE, outcome: 'denied' },
      ...by('U04GUS'),
    });
  });

  it('is not put off from elsewhere: another channel, another channel’s notice, another workspace', async () => {
    const value = await button('Not tonight');
    const there = { ...person('U02BEN'), ...inChannel('C0FINANCE') };
    await expectRefused(siege, () => press(siege, value, there), {
      ...{ ...SNOOZE, outcome: 'denied' },
      ...by('U02BEN'),
    });
    const partners = await button('Not tonight', 'partner-nights');
    const here = { ...person('U01ANA'), ...inChannel('C0OPS') };
    await expectRefused(siege, () => press(siege, partners, here), {
      ...{ ...SNOOZE, outcome: 'denied' },
      ...by('U01ANA'),
    });
    await told('ana', '#ops', /No stop of partner-nights is announced in this channel/u);
    const foreign = { ...person('U02BEN', 'T0SISTER'), ...inChannel('C0OPS') };
    await expectRefused(siege, () => press(siege, value, foreign), { outcome: 'denied' });
  });

  it.each([
    [
      'a value that says it all',
      {
        kind: 'run',
        operation: 'schedule.snooze',
        input: { schedule: 'dev-nights', choice: 'skip' },
      },
    ],
    ['a question that nobody asked', { kind: 'use', pending: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['a text', 'skip'],
  ])('takes no button that was made up: %s', async (_name, value) => {
    const edit = { ...person('U02BEN'), ...inChannel('C0OPS') };
    await expectRefused(siege, () => press(siege, value, edit), { outcome: 'denied' });
    await told('ben', '#ops', /nothing was done|too old/u);
  });

  it.each([
    ['a night that is not announced', 'skip --night 2026-12-03T19:00:00.000Z', 'denied'],
    ['a night of long ago', 'hour --night 1970-01-01T00:00:00.000Z', 'denied'],
    ['a service that does not stop', 'keep analytics', 'invalid'],
  ])('takes no command about %s', async (_name, line, outcome) => {
    const command = `schedule snooze dev-nights ${line}`;
    const edit = { user_id: 'U02BEN', user_name: 'ben' };
    await expectRefused(siege, () => sendCommand(siege, command, edit), {
      ...{ ...SNOOZE, outcome: outcome as 'denied' },
      ...by('U02BEN'),
    });
  });

  it('still stands as it was', async () => {
    await siege.world
      .as('ana')
      .in('#ops')
      .expectMessage(/dev-nights stops 3 services/u);
    expect(siege.writes()).toBe(0);
  });
});

describe('a notice that was put off', () => {
  const ben = { ...person('U02BEN'), ...inChannel('C0OPS') };
  const ana = { ...person('U01ANA'), ...inChannel('C0OPS') };
  let first: string;
  let skip: string;

  it('is put off once by two presses of one button, whoever comes second', async () => {
    first = await button('In 1 hour');
    skip = await button('Not tonight');
    const since = await siege.lastRow();
    await Promise.all([press(siege, first, ben), press(siege, first, ana)]);
    await expectRow(siege, since, { ...SNOOZE, outcome: 'done' });
    await expectRow(siege, since, { ...SNOOZE, outcome: 'already' });
    const people = siege.world.as('ana').in('#ops');
    await people.expectMessage(/dev-nights stops 3 services 26 Nov 2026, 20:00/u);
    // The message was replaced: its old button says so.
    await expectRefused(siege, () => press(siege, first, ana), { ...SNOOZE, outcome: 'already' });
    await told('ana', '#ops', /Already pressed by/u);
  });

  it('goes no further than the file says, by button or by command', async () => {
    const since = await siege.lastRow();
    await press(siege, await button('In 1 hour'), ben);
    await expectRow(siege, since, { ...SNOOZE, outcome: 'done' });
    const reader = siege.world.as('ana').in('#ops');
    const notice = await reader.expectMessage(/dev-nights stops 3 services 26 Nov 2026, 21:00/u);
    expect(JSON.stringify(notice.blocks)).not.toContain('In 1 hour');
    for (const id of ['U02BEN', 'U01ANA']) {
      await expectRefused(
        siege,
        () => sendCommand(siege, 'schedule snooze dev-nights hour', { user_id: id }),
        { ...SNOOZE, outcome: 'already', ...by(id) },
      );
    }
    await told('ana', '#ops', /dev-nights cannot be put off any further/u);
  });

  it('takes no word once it has begun, also by the buttons of messages that were replaced', async () => {
    const last = await button('Not tonight');
    await lookAt('2026-11-26T21:00:00.000Z');
    const reader = siege.world.as('ana').in('#ops');
    await reader.expectMessage(/dev-nights asked 3 of 3 services to stop/u);
    for (const value of [skip, last]) {
      await expectRefused(siege, () => press(siege, value, ben), {
        ...{ ...SNOOZE, outcome: 'already' },
        ...by('U02BEN'),
      });
    }
    await told('ben', '#ops', /dev-nights has begun/u);
    await reader.expectMessage(/dev-nights asked 3 of 3 services to stop/u);
  });
});
