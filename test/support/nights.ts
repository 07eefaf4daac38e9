import type { SettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import type { StewardWorld } from './steward-world.ts';

/** What the bot does of its nights at a moment of the settable clock. */
export function createLookAt(
  clock: Pick<SettableClock, 'set'>,
  world: () => StewardWorld,
): (iso: string) => Promise<void> {
  return async (iso) => {
    clock.set(iso);
    const { steward } = world();
    await steward.housekeep();
    await steward.sleep();
  };
}
