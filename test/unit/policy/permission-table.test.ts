import { describe, expect, it } from 'vitest';
import { permissionTable } from '../../../src/policy/decide/explain.ts';
import { channelOf, OPS, settingsOf } from './policy-fixtures.ts';

const OPERATIONS = ['service.stop', 'cost.read', 'dashboard.delete', 'approval.break-glass'];

describe('permissionTable', () => {
  it('writes globs out, by channel, action and rule', () => {
    const rows = permissionTable(settingsOf([OPS]), OPERATIONS);
    expect(rows.map((row) => Object.values(row).join(' | '))).toEqual([
      'ops | allow | cost.read | anyone | * |  |  | channels.ops.allow[3]',
      'ops | deny | dashboard.delete | anyone | * |  |  | channels.ops.deny[4]',
      'ops | allow | service.stop | operators | tag:dev |  |  | channels.ops.allow[0]',
      'ops | allow | service.stop | operators | tag:prod | leads within 30m |  | channels.ops.allow[1]',
    ]);
  });

  it('says where a reason is asked for', () => {
    const rule = { actions: ['*'], who: ['anyone'], reason: 'required' } as const;
    const [row] = permissionTable(settingsOf([channelOf('a', [rule])]), ['service.stop']);
    expect(row?.limits).toBe('with a reason');
  });

  it.each([
    [60_000, '1m'],
    [3_600_000, '1h'],
    [5_400_000, '90m'],
    [172_800_000, '2d'],
    [61_000, '61s'],
  ])('writes %i ms as %s', (withinMs, words) => {
    const rule = { actions: ['*'], who: ['anyone'], approval: { by: ['leads'], withinMs } };
    const [row] = permissionTable(settingsOf([channelOf('a', [rule])]), ['cost.read']);
    expect(row?.approval).toBe(`leads within ${words}`);
  });

  it('lists services, regions and domains, each by its own word', () => {
    const rule = {
      ...{ actions: ['service.create'], who: ['anyone'], services: ['tag:dev', 'scratch'] },
      ...{ emailDomains: ['a.com', 'b.com'], limits: { regions: ['eu-1', 'us-1'] } },
    };
    const [row] = permissionTable(settingsOf([channelOf('a', [rule])]), ['service.create']);
    expect([row?.services, row?.limits]).toEqual([
      'tag:dev, scratch',
      'a.com or b.com; eu-1 or us-1',
    ]);
  });

  it('shows limits, and break-glass only where it is given', () => {
    const rows = permissionTable(
      settingsOf([
        channelOf('a', [
          {
            actions: ['*'],
            who: ['leads', 'U1'],
            approval: { by: ['leads', 'U2'], withinMs: 90_000 },
            emailDomains: ['example.com'],
            limits: {
              providers: ['aws', 'gcp'],
              regions: ['eu-1'],
              maxReplicas: 3,
              maxMemoryGb: 64,
            },
          },
          { actions: ['approval.break-glass'], who: ['leads'] },
        ]),
      ]),
      ['service.create', 'approval.break-glass', 'service.create'],
    );
    expect(rows).toEqual([
      expect.objectContaining({
        limits: '',
        action: 'approval.break-glass',
        rule: 'channels.a.allow[1]',
      }),
      {
        channel: 'a',
        effect: 'allow',
        action: 'service.create',
        who: 'leads, U1',
        services: '*',
        approval: 'leads or U2 within 90s',
        limits: 'example.com; aws or gcp; eu-1; ≤ 3 replicas; ≤ 64 GB',
        rule: 'channels.a.allow[0]',
      },
    ]);
  });
});
