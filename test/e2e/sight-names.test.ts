import { afterEach, beforeEach, expect, it } from 'vitest';
import { bareService } from '../support/bare-cloud.ts';
import { type BareWorld, startBareWorld } from '../support/bare-world.ts';
import { eventually } from '../support/waiting.ts';

/** 300 services in the cloud, of which #ops may know none: its rules are about those of the file. */
const FLEET = Array.from({ length: 300 }, (_, n) =>
  bareService(`aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`, {
    ...{ name: `fleet ${n}`, state: 'running' },
  }),
);
const ID = String(FLEET[9]?.['id']);

const RULES = `channels:
  ops:
    id: C0OPS
    allow:
      - { actions: ['service.*', pipe.create, '*.read', 'schedule.*'], services: ['tag:dev'], who: [anyone] }
      - { actions: [activity.read], who: [anyone] }
  all:
    id: C0RANDOM
    allow:
      - { actions: ['*'], services: ['*'], who: [U02BEN] }
defaults:`;

let bare: BareWorld;
beforeEach(async () => {
  bare = await startBareWorld((yaml) =>
    yaml
      .replace(/^ {2}(?:reporting|archive|core|reader).*\n/gmu, '')
      .replace(/channels:[\s\S]*?\ndefaults:/u, RULES),
  );
  bare.cloud.services = [...bare.cloud.services, ...FLEET];
  const day = { date: '2026-11-27', entityType: 'service', locked: true, totalUnits: 5 };
  const costs = FLEET.slice(0, 5).map(({ id, name }) => ({
    ...{ ...day, entityId: id, entityName: name, serviceId: id, metrics: { computeCHC: 5 } },
  }));
  bare.cloud.instead = ({ path }) =>
    path.endsWith('/usageCost') ? { result: { costs, grandTotalCHC: 25 } } : undefined;
  await bare.later(301);
  const ben = bare.world.as('ben').in('#random');
  await ben.command('/db stop "fleet 7"');
  await ben.click('Stop fleet 7');
  await ben.expectMessage(/asked fleet 7 to stop/);
  bare.did('service_stop', { serviceId: ID, actorType: 'user' });
});
afterEach(() => bare.close());

/** Whatever one of #ops can read, of `typed` no more than was typed. */
function seen(typed: string): string {
  const { ana } = bare;
  const here = ana.state.messages.filter(({ channel }) => channel === 'C0OPS');
  const views = ana.state.views.map(({ blocks }) => JSON.stringify(blocks));
  const all = [...here.map((message) => ana.text(message)), ...views].join('\n');
  return typed === '' ? all : all.replaceAll(new RegExp(`${typed}(?!\\d)`, 'gu'), '');
}

it.each([
  ...['', 'help', 'services', 'services flee', 'stop flet 7', 'stop flee', 'stop'],
  ...['can stop flee', 'log', 'approvals', 'activity', 'status', 'pipe', 'sleep', 'schedule'],
  ...['cost 2026-11-26..2026-11-28 --by service --service flee', 'endpoint flett'],
])('no name or id is in the answer to `/db %s`', async (line) => {
  const { ana } = bare;
  const before = seen('').length;
  await ana.command(`/db ${line}`);
  await eventually(() => expect(seen('').length).toBeGreaterThan(before));
  if (ana.state.views.length > 0) expect(await ana.suggest('Service', 'flee')).toEqual([]);
  expect(seen('')).not.toMatch(/fleet|aaaaaaaa/u);
});

it.each([
  ...['stop "fleet 7"', 'stop FLEET 9', `stop ${ID}`, `endpoint ${ID}`, 'log "fleet 7"'],
  ...['cost 3d --service "fleet 3"', 'can @ben stop "fleet 7"', `can stop ${ID}`, 'wake "fleet 7"'],
])('who types `%s` reads no more than was typed', async (line) => {
  const { ana } = bare;
  const before = seen('').length;
  await ana.command(`/db ${line}`);
  await eventually(() => expect(seen('').length).toBeGreaterThan(before));
  const typed = new RegExp(`fleet \\d|${ID}`, 'iu').exec(line)?.[0] ?? '';
  const [name] = typed.toLowerCase() === ID ? ['fleet 9'] : [];
  expect(seen(typed)).not.toMatch(/fleet \d|aaaaaaaa/u);
  if (name !== undefined) expect(seen(typed)).not.toContain(name);
});

it('no name is on Home', async () => {
  await bare.ana.openHome();
  await bare.ana.expectHome(/staging/);
  expect(JSON.stringify(bare.ana.state.home)).not.toMatch(/fleet|aaaaaaaa/u);
});
