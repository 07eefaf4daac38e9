import { describe, expect, it } from 'vitest';
import { plain } from '../../../../src/core/text/text.ts';
import { ANA, NOW } from '../../../support/operation-ports.ts';
import {
  APPROVED_BY_LEADS,
  BEN,
  createPipelineWorld,
  type PipelineWorld,
  toldBy,
} from '../../../support/pipeline-world.ts';

const LOOK = { service: 'scratch' };

function hurried(perPersonPerMinute: number, perChannelPerMinute: number): PipelineWorld {
  const world = createPipelineWorld();
  world.rules.limits = { perPersonPerMinute, perChannelPerMinute };
  return world;
}
const look = (world: PipelineWorld, more: Parameters<PipelineWorld['ask']>[2] = {}) =>
  world.ask('service.look', LOOK, more);

describe('too many requests', () => {
  it('of one person are refused with the time to wait, and one row stands for all', async () => {
    const world = hurried(2, 100);
    await look(world);
    await look(world);
    const [third, fourth] = [await look(world), await look(world)];
    expect(toldBy(third)).toBe(
      'Nothing was done: 2 requests a minute is the limit, and yours is used up. Try again in 60 s.',
    );
    expect(third).toMatchObject({ kind: 'notice', because: 'denied', entry: { number: 3 } });
    expect(fourth.entry).toEqual(third.entry);
    expect(world.rows[2]).toEqual({
      number: 3,
      openedAt: NOW,
      opening: {
        operation: 'service.look',
        actor: ANA,
        input: {},
        origin: 'slash',
        channelId: 'C0OPS',
      },
      closing: { outcome: 'denied', detail: 'flood: more than 2 a minute of one person' },
    });
    expect(world.rows).toHaveLength(3);
    expect(world.events.filter((event) => event === 'look scratch')).toHaveLength(2);
  });

  it('in one channel are refused to everybody there, and to nobody at home', async () => {
    const world = hurried(100, 1);
    await look(world);
    expect(toldBy(await look(world, { actor: BEN }))).toBe(
      'Nothing was done: 1 requests a minute is the limit, and this channel is used up. Try again in 60 s.',
    );
    expect(world.rows[1]).toMatchObject({
      opening: { actor: BEN, channelId: 'C0OPS' },
      closing: { detail: 'flood: more than 1 a minute of one channel' },
    });
    expect((await look(world, { actor: BEN, place: 'home' })).kind).toBe('done');
  });

  it('take no time and no call of their own', async () => {
    const world = hurried(1, 100);
    await look(world);
    await world.clock.advance(1);
    const refused = await look(world);
    expect(refused).toMatchObject({ requestId: undefined, durationMs: 0 });
    expect(world.finished).toHaveLength(1);
    // A second begun is a second to wait.
    await world.clock.advance(14_000);
    expect(toldBy(await look(world))).toMatch(/Try again in 46 s\.$/u);
  });

  it('are counted for the one who presses, and a busy channel keeps no answer out', async () => {
    const world = hurried(2, 2);
    world.rules.decide = () => APPROVED_BY_LEADS;
    const request = await world.ask('service.resize', { service: 'scratch', size: '12' });
    await look(world);
    expect((await look(world, { actor: BEN })).kind).toBe('notice');
    expect((await world.press(request, BEN)).kind).toBe('done');
    await look(world, { actor: BEN, place: 'home' });
    const denial = await world.settle(request, 'deny', BEN);
    expect(denial.ok).toBe(false);
    expect(plain(denial.text)).toMatch(/2 requests a minute is the limit, and yours is used up/u);
  });

  it('are never too many where nobody counts', async () => {
    const world = createPipelineWorld(() => ({ flood: undefined }));
    world.rules.limits = { perPersonPerMinute: 1, perChannelPerMinute: 1 };
    for (let time = 0; time < 3; time += 1) expect((await look(world)).kind).toBe('done');
  });

  it('at home have no channel in their row', async () => {
    const world = hurried(1, 100);
    await look(world, { place: 'home' });
    await look(world, { place: 'home' });
    expect(world.rows[1]?.opening).not.toHaveProperty('channelId');
  });

  it('of a schedule are never too many', async () => {
    const world = hurried(1, 1);
    for (let time = 0; time < 3; time += 1) {
      expect((await look(world, { origin: 'schedule' })).kind).toBe('done');
    }
    expect((await look(world)).kind).toBe('done');
  });

  it('are let in again after the wait', async () => {
    const world = hurried(1, 100);
    await look(world);
    await world.clock.advance(15_000);
    expect(toldBy(await look(world))).toMatch(/Try again in 45 s\.$/u);
    await world.clock.advance(45_000);
    expect((await look(world)).kind).toBe('done');
  });
});
