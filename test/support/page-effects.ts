import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 5_000;
const STEP_MS = 20;

/**
 * Waits until an effect can be seen.
 * @throws when it cannot be seen within 5 s
 */
export async function effect(seen: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    if (await seen()) return;
    await sleep(STEP_MS);
  }
  throw new Error(`Not seen within ${PATIENCE_MS} ms: ${seen.toString()}`);
}
