import type { Clock, Directory, DirectoryEntry } from '../core/ports/ports.ts';
import type { CurrentSettings, ServiceSettings } from '../core/settings/settings.ts';
import type { Database } from './database/database.ts';
import type { ServiceRow } from './database/schema.ts';
import { isoNow } from './values.ts';

type Note = Parameters<Directory['note']>[0];

export type BulkDirectory = Directory & {
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
): BulkDirectory {
  return {
    list: async () => {
      const rows = await db.query((kysely) => kysely.selectFrom('services').selectAll().execute());
      return merged(settings.get().services, rows);
    },
    note: (entry) =>
      noteAll(db, clock, [entry]).then(
        () => true,
        () => false,
      ),
    noteAll: (entries) => noteAll(db, clock, entries),
  };
}

function merged(
  configured: readonly ServiceSettings[],
  rows: readonly ServiceRow[],
): readonly DirectoryEntry[] {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const entries: DirectoryEntry[] = configured.map(({ id, name, organization, tags }) => {
    const base = { id, name, organization, tags, source: 'configuration' } as const;
    return { ...base, ...stateOf(stored.get(id)) };
  });
  const known = new Set(configured.map((service) => service.id));
  for (const row of rows) {
    if (known.has(row.id) || row.source === 'command') continue;
    const { id, organization, source } = row;
    entries.push({ id, name: row.name ?? id, organization, tags: [], source, ...stateOf(row) });
  }
  return entries.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}

function stateOf(row: ServiceRow | undefined): Pick<DirectoryEntry, 'state' | 'stateAt'> {
  if (row === undefined || row.state === null || row.state_at === null) return {};
  return { state: row.state, stateAt: row.state_at };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function noteAll(db: Database, clock: Clock, entries: readonly Note[]): Promise<void> {
  // One statement may not touch a row twice: the last note of a service counts.
  const rows = [...new Map(entries.map((entry) => [entry.id, rowOf(entry, clock)])).values()];
  if (rows.length === 0) return;
  await db.transaction(async (trx) => {
    for (let start = 0; start < rows.length; start += PORTION) {
      await trx
        .insertInto('services')
        .values(rows.slice(start, start + PORTION))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((eb) => ({
            organization: eb.ref('excluded.organization'),
            name: eb.fn.coalesce('excluded.name', 'services.name'),
            state: eb.fn.coalesce('excluded.state', 'services.state'),
            state_at: eb.fn.coalesce('excluded.state_at', 'services.state_at'),
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

function rowOf(entry: Note, clock: Clock): ServiceRow {
  return {
    id: entry.id,
    organization: entry.organization,
    name: entry.name ?? null,
    source: entry.source,
    state: entry.state ?? null,
    state_at: entry.state === undefined ? null : isoNow(clock),
  };
}
