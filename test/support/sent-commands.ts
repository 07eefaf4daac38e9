import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import type { StewardWorld } from './steward-world.ts';

const names = new Map(Object.values(SERVICES).map(({ id, name }) => [id, name]));

/** Each call: the commands that reached the control API since the one before, sorted: `scratch stop`. */
export function createSentCommands(world: () => StewardWorld): () => readonly string[] {
  let seen = 0;
  return () => {
    const requests = world()
      .plane.requests()
      .filter(({ number }) => number > seen);
    seen = requests.at(-1)?.number ?? seen;
    return requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ path, body }) => {
        const id = path.split('/').at(-2) ?? '';
        return `${names.get(id) ?? id} ${(body as { readonly command: string }).command}`;
      })
      .sort();
  };
}
