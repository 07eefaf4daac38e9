import { z } from 'zod';
import type { Card, CardAction, Cell, Row } from '../../core/card/card.ts';
import { offersFor, serviceRows } from '../../core/list/services.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import { visibleServices } from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { code, counted, say } from '../../core/text/text.ts';

const input = z.strictObject({});

/** `/db services`: what Steward knows of, since the API lists none. Design: §3. */
export const directoryRead = defineOperation({
  id: 'directory.read',
  summary: 'List the services that Steward knows',
  title: 'Services',
  risk: 'read',
  listsServices: true,
  slash: { words: ['services'], positional: [], examples: ['services'] },
  input,
  refused: () => say`The services were not listed`,
  plan: async () => ({}),
  targets: () => [],
  execute: async (_plan, ports, context) => ({ result: await read(ports, context) }),
  present: (found) => present(found),
});

/** More than these would not fit as rows: a table then, and forms that look for one of them. */
const ROWS = 40;

type Found = {
  readonly entries: readonly DirectoryEntry[];
  readonly rows: readonly Row[];
  readonly forms: readonly CardAction[];
};

async function read(ports: Ports, context: Context): Promise<Found> {
  await ports.directory.look();
  const entries = await visibleServices(ports, context);
  const rows = await serviceRows(entries, ports, context);
  return { entries, rows, forms: offersFor(rows, ports) };
}

function present({ entries, rows, forms }: Found): Card {
  if (entries.length === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No service is known that you may use here.`,
      lines: [
        say`Services come from ${code('steward.yaml')}, from ${code('create')} and from cost reports.`,
      ],
    };
  }
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${counted(entries.length, 'service')}, with the last state that the API reported to Steward.`,
    ...(entries.length > ROWS ? { table: tableOf(entries), actions: forms } : { rows }),
    context: entries.some(({ cloud }) => cloud !== undefined)
      ? say`From ${code('steward.yaml')}, whose names and tags rules judge by, and the cloud’s own list.`
      : say`The API lists no services: this directory is Steward’s own.`,
  };
}

function tableOf(entries: readonly DirectoryEntry[]): Card['table'] {
  return {
    caption: 'Services',
    header: ['Service', 'Tags', 'Last reported', 'At (UTC)', 'Known from', 'Organization'],
    rows: entries.map(row),
  };
}

function row(entry: DirectoryEntry): readonly Cell[] {
  return [
    entry.name,
    entry.tags.join(', ') || '–',
    entry.state ?? 'not reported yet',
    entry.stateAt?.slice(0, 16).replace('T', ' ') ?? '–',
    entry.source,
    entry.organization,
  ];
}
