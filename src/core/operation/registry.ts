import type { Operation } from './operation.ts';

export type Registry = {
  readonly operations: readonly Operation[];
  /** Throws TypeError for an id that is not in the list: ids come from our own payloads. */
  get(id: string): Operation;
  find(id: string): Operation | undefined;
};

/** The explicit list as a registry. Throws TypeError when two share an id or their slash words. */
export function createRegistry(operations: readonly Operation[]): Registry {
  const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));
  const words = new Set(operations.map((operation) => operation.slash.words.join(' ')));
  if (byId.size < operations.length) throw new TypeError('Two operations share an id.');
  if (words.size < operations.length) throw new TypeError('Two operations share slash words.');
  return {
    operations,
    find: (id) => byId.get(id),
    get: (id) => {
      const operation = byId.get(id);
      if (operation === undefined) throw new TypeError(`No operation has the id ${id}.`);
      return operation;
    },
  };
}
