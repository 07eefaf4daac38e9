import { DateTime } from 'luxon';
import type { ListedDirectory, ListedService } from '../core/ports/follow.ts';
import type { Clock, Directory, DirectoryEntry } from '../core/ports/ports.ts';
import type { CurrentSettings, ServiceSettings } from '../core/settings/settings.ts';
import { canonicalJson } from '../core/text/json.ts';
import type { Database } from './database/database.ts';
import type { ServiceRow } from './database/schema.ts';
import { isoNow, readStored, storedTexts } from './values.ts';

type Note = Parameters<Directory['note']>[0];

export type StoredDirectory = ListedDirectory & {
  /** `note` for many at once, as after a cost report. */
  noteAll(entries: readonly Note[]): Promise<void>;
};

const PORTION = 500;

/**
 * The services Steward knows of: the settings now in force, over what it stored. A service that was
 * only commanded by its id keeps its state but is not listed. Throws AppError `storage`. Design: §3.
 */
export function createDirectory(
  db: Database,
  clock: Clock,
  settings: CurrentSettings,
): StoredDirectory {
  return {
    list: async () => {
      const { rows, lists } = await db.query(async (kysely) => ({
        rows: await kysely.selectFrom('services').selectAll().execute(),
        lists: await kysely.selectFrom('cloud_lists').selectAll().execute(),
      }));
      const listedAt = new Map(lists.map((list) => [list.organization, list.listed_at]));
      return merged(settings.get().services, { rows, listedAt });
    },
    note: (entry) =>
      noteAll(db, clock, [entry]).then(
        () => true,
        () => false,
      ),
    noteAll: (entries) => noteAll(db, clock, entries),
    keepList: async (organization, services) => {
      const at = isoNow(clock);
      await putRows(
        db,
        services.map((service) => listedRow(organization, service, clock)),
      );
      await db.query((kysely) =>
        kysely
          .insertInto('cloud_lists')
          .values({ organization, listed_at: at })
          .onConflict((conflict) => conflict.column('organization').doUpdateSet({ listed_at: at }))
          .execute(),
      );
    },
    keepOne: (organization, service) => putRows(db, [listedRow(organization, service, clock)]),
    listedAt: async (organization) => {
      const row = await db.query((kysely) =>
        kysely
          .selectFrom('cloud_lists')
          .select('listed_at')
          .where('organization', '=', organization)
          .executeTakeFirst(),
      );
      return row?.listed_at;
    },
  };
}

type Stored = {
  readonly rows: readonly ServiceRow[];
  readonly listedAt: ReadonlyMap<string, string>;
};

function merged(
  configured: readonly ServiceSettings[],
  { rows, listedAt }: Stored,
): readonly DirectoryEntry[] {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const entries: DirectoryEntry[] = configured.map(({ id, name, organization, tags }) => {
    const base = { id, name, organization, tags, source: 'configuration' } as const;
    const row = stored.get(id);
    return { ...base, ...stateOf(row), cloud: cloudOf(row, listedAt.get(organization)) };
  });
  const known = new Set(configured.map((service) => service.id));
  for (const row of rows) {
    if (known.has(row.id) || row.source === 'command') continue;
    const { id, organization, source } = row;
    const cloud = cloudOf(row, listedAt.get(organization));
    // Only the cloud named it, and does so no longer.
    if (source === 'cloud' && cloud?.isListed !== true) continue;
    const name = row.name ?? id;
    entries.push({ id, name, organization, tags: [], source, ...stateOf(row), cloud });
  }
  return entries.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}

/** Undefined where its cloud lists no services and never showed this one. */
function cloudOf(row: ServiceRow | undefined, listedAt: string | undefined) {
  const shownAt = row?.listed_at ?? undefined;
  if (listedAt === undefined && shownAt === undefined) return undefined;
  const isListed = (shownAt ?? '') >= (listedAt ?? '') || isReportedSince(row, listedAt ?? '');
  const tags = row?.cloud_tags == null ? [] : readStored(storedTexts, row.cloud_tags);
  return { isListed, name: row?.name ?? undefined, tags };
}

/** A list lags behind: what reported its state by itself just before, or since then, is there. */
const LAG = { minutes: 2 };

function isReportedSince(row: ServiceRow | undefined, listedAt: string): boolean {
  const reportedAt = row?.state_at ?? '';
  if (reportedAt === '' || reportedAt <= (row?.listed_at ?? '')) return false;
  const from = DateTime.fromISO(listedAt, { zone: 'utc' }).minus(LAG).toISO();
  return reportedAt >= (from ?? '');
}

function stateOf(row: ServiceRow | undefined): Pick<DirectoryEntry, 'state' | 'stateAt'> {
  if (row === undefined || row.state === null || row.state_at === null) return {};
  return { state: row.state, stateAt: row.state_at };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function noteAll(db: Database, clock: Clock, entries: readonly Note[]): Promise<void> {
  await putRows(
    db,
    entries.map((entry) => rowOf(entry, clock)),
  );
}

async function putRows(db: Database, all: readonly ServiceRow[]): Promise<void> {
  // One statement may not touch a row twice: the last note of a service counts.
  const rows = [...new Map(all.map((row) => [row.id, row])).values()];
  if (rows.length === 0) return;
  await db.transaction(async (trx) => {
    for (let start = 0; start < rows.length; start += PORTION) {
      await trx
        .insertInto('services')
        .values(rows.slice(start, start + PORTION))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((eb) => ({
            organization: eb.ref('excluded.organization'),
            name: eb
              .case()
              // Costs name a service as it was called when they came up.
              .when(
                eb.and([
                  eb('excluded.source', '=', 'costs'),
                  eb('services.listed_at', 'is not', null),
                ]),
              )
              .then(eb.ref('services.name'))
              .else(eb.fn.coalesce('excluded.name', 'services.name'))
              .end(),
            state: eb.fn.coalesce('excluded.state', 'services.state'),
            state_at: eb.fn.coalesce('excluded.state_at', 'services.state_at'),
            cloud_tags: eb.fn.coalesce('excluded.cloud_tags', 'services.cloud_tags'),
            listed_at: eb.fn.coalesce('excluded.listed_at', 'services.listed_at'),
            // What was created here stays so; a command teaches nothing about the origin.
            source: eb
              .case()
              .when('services.source', '=', 'created here')
              .then(eb.ref('services.source'))
              .when('excluded.source', '=', 'command')
              .then(eb.ref('services.source'))
              .else(eb.ref('excluded.source'))
              .end(),
          })),
        )
        .execute();
    }
  });
}

function listedRow(organization: string, service: ListedService, clock: Clock): ServiceRow {
  return {
    ...rowOf({ ...service, organization, source: 'cloud' }, clock),
    cloud_tags: canonicalJson(service.tags),
    listed_at: isoNow(clock),
  };
}

function rowOf(entry: Note, clock: Clock): ServiceRow {
  return {
    id: entry.id,
    organization: entry.organization,
    name: entry.name ?? null,
    source: entry.source,
    state: entry.state ?? null,
    state_at: entry.state === undefined ? null : isoNow(clock),
    cloud_tags: null,
    listed_at: null,
  };
}
