import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** A Thursday: 23:30 in Kolkata, 18:00 in London. */
const clock = createSettableClock({ start: '2026-11-26T18:00:00.000Z' });
let world: StewardWorld;
let ana: Person;
let ben: Person;
let fay: Person;

const person = (id: string, name: string, zone: string) =>
  ({ ...{ id, name, realName: name, zone }, kind: 'member' }) as const;

beforeAll(async () => {
  world = await startWorld({
    clock,
    settings: (yaml) => yaml.replaceAll('[U02BEN]', '[U02BEN, U03FAY]'),
    workspace: {
      personas: [
        person('U01ANA', 'ana', 'Asia/Kolkata'),
        person('U02BEN', 'ben', 'Europe/London'),
        // Newer than what this Node knows.
        person('U03FAY', 'fay', 'Mars/Olympus_Mons'),
      ],
      channels: ['C0OPS', 'C0FINANCE', 'C0AUDIT'].map((id) => ({
        ...{ id, name: id.slice(2).toLowerCase() },
        members: ['U01ANA', 'U02BEN', 'U03FAY'],
      })),
    },
  });
  [ana, ben, fay] = ['ana', 'ben', 'fay'].map((name) => world.as(name).in('#ops')) as [
    Person,
    Person,
    Person,
  ];
});
afterAll(() => world.close());

async function nothingIsSet(): Promise<void> {
  await ben.command('/db schedule');
  await ben.expectEphemeral(/Nothing stops or starts by a schedule in/u);
  expect(world.plane.requests().filter(({ method }) => method === 'PATCH')).toEqual([]);
}

describe('a natural time', () => {
  it.each([
    ['tonight 23:45', 'from Thu 26 Nov 23:45 (Asia/Kolkata)'],
    // Behind midnight it is the night that comes.
    ['tonight 01:00 until 7:30am', 'from Fri 27 Nov 01:00 until Fri 27 Nov 07:30 (Asia/Kolkata)'],
    ['until tomorrow 07:30', 'from Thu 26 Nov 23:30 until Fri 27 Nov 07:30 (Asia/Kolkata)'],
    ['for 3 hours', 'from Thu 26 Nov 23:30 until Fri 27 Nov 02:30 (Asia/Kolkata)'],
    ['until mon', 'from Thu 26 Nov 23:30 until Mon 30 Nov 00:00 (Asia/Kolkata)'],
    ['from 22:00 to 06:00', 'from Fri 27 Nov 22:00 until Sat 28 Nov 06:00 (Asia/Kolkata)'],
  ])('%s is echoed with date and the asker’s zone, before anything is set', async (words, echo) => {
    await ana.command(`/db sleep scratch ${words}`);
    await ana.expectEphemeral(new RegExp(`Put scratch to sleep ${escaped(echo)}\\?`, 'u'));
    await nothingIsSet();
  });

  it('is another moment for somebody elsewhere, and UTC where the zone says nothing', async () => {
    await ben.command('/db sleep scratch tonight 23:45');
    await ben.expectEphemeral(/from Thu 26 Nov 23:45 \(Europe\/London\)/u);
    await fay.command('/db sleep scratch tonight 23:45');
    await fay.expectEphemeral(/from Thu 26 Nov 23:45 \(UTC\)/u);
    await nothingIsSet();
  });

  it.each([
    ['tonite 20:00', /tonite 20:00 is no time\. When, as in tonight 20:00/u],
    ['today 08:00', /Thu 26 Nov 08:00 \(Asia\/Kolkata\) is over/u],
    ['2026-11-01 20:00', /Sun 1 Nov 20:00 \(Asia\/Kolkata\) is over/u],
    ['until today 08:00', /It would end Thu 26 Nov 08:00 \(Asia\/Kolkata\), before it begins/u],
    ['until 2027-01-10', /14 days at most, and that is Sun 10 Jan 00:00 \(Asia\/Kolkata\)/u],
  ])('%s is refused in the form, which keeps what was typed', async (words, complaint) => {
    await ana.command(`/db sleep scratch ${words}`);
    const form = await ana.expectModal(complaint);
    expect(JSON.stringify(form.blocks)).toContain(`"initial_value":"${words}"`);
    await ana.closeModal({ all: true });
    await nothingIsSet();
  });

  it('goes on from there: what is typed anew is echoed and set by a press alone', async () => {
    await ana.command('/db sleep scratch tonite 23:45');
    await ana.expectModal(/Put a service to sleep[\s\S]*is no time/u);
    await ana.fill('When', 'today 08:00');
    await ana.submit();
    await ana.expectModalError('When', /Thu 26 Nov 08:00 \(Asia\/Kolkata\) is over/u);
    await ana.fill('When', 'tonight 23:45 until 07:30');
    await ana.submit();
    await ana.expectEphemeral(/from Thu 26 Nov 23:45 until Fri 27 Nov 07:30 \(Asia\/Kolkata\)\?/u);
    await nothingIsSet();
    await ana.click('Put scratch to sleep');
    await ana.expectMessage(/ana set a sleep: scratch stops/u);
    await ana.command('/db sleep scratch off');
    await ana.click('Call it off');
    await ana.expectMessage(/called off the sleep of scratch/u);
  });
});

function escaped(text: string): string {
  return text.replace(/[()/]/gu, String.raw`\$&`);
}
