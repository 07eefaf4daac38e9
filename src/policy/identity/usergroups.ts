import type { Accounts } from '../../core/ports/accounts.ts';
import { createLookup, type Lookup, type LookupOptions } from './lookup.ts';

/** So many are asked for by themselves; whoever needs more gets all in one answer. */
const FEW = 3;
const ALL = '';

type Members = Pick<Lookup<ReadonlySet<string>>, 'get' | 'fresh'>;

/**
 * Who is in which user group, by its id. Slack takes about twenty of these questions a minute: what is
 * remembered comes from one list of all groups where many are needed. Facts: People and places.
 */
export function createUsergroups(
  slack: Pick<Accounts, 'usergroups' | 'usergroupMembers'>,
  options: LookupOptions,
): Members {
  const { clock, cacheMs } = options;
  const single = createLookup(
    async (id): Promise<ReadonlySet<string>> => new Set(await slack.usergroupMembers(id)),
    options,
  );
  const list = createLookup(async () => {
    for (const { id, users } of await slack.usergroups()) single.keep(id, new Set(users));
  }, options);
  let needed = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  return {
    fresh: single.fresh,
    get: async (id) => {
      const now = clock.now().toMillis();
      if (!single.has(id)) needed += 1;
      // A list that failed is not asked for again with every group.
      if (needed > FEW && !single.has(id) && now >= notBefore) {
        await list.get(ALL).catch(() => {
          notBefore = now + cacheMs;
        });
      }
      return await single.get(id);
    },
  };
}
