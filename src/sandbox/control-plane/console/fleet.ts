import type { DateTime } from 'luxon';
import { buildService } from '../services/create-service.ts';
import { isoOf } from '../services/states.ts';
import type { World } from '../state/world.ts';

type Ground = { readonly world: World; readonly now: DateTime; readonly organizationId: string };

/** Adds services that run already, every other one for development. Gives their ids. */
export function addServices(ground: Ground, count: number, prefix: string): readonly string[] {
  const { world, now, organizationId } = ground;
  return Array.from({ length: count }, (_, index) => {
    const tags = [{ key: index % 2 === 0 ? 'prod' : 'dev' }];
    const { service, warehouse } = buildService(
      {
        name: `${prefix} ${index + 1}`,
        provider: 'aws',
        region: 'us-east-1',
        tags,
        ipAccessList: [{ source: '203.0.113.0/24', description: 'Office' }],
      },
      { organizationId, now, settings: world.settings },
    );
    const running = { ...service, history: [{ at: isoOf(now), state: 'running' as const }] };
    world.services.set(service.id, running);
    if (warehouse !== undefined) world.warehouses.set(warehouse.id, warehouse);
    return service.id;
  });
}
