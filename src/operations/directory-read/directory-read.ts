import { z } from 'zod';
import type { Card, Cell } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
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
  execute: async (_plan, ports, context) => ({ result: await visibleServices(ports, context) }),
  present: (entries) => present(entries),
});

function present(entries: readonly DirectoryEntry[]): Card {
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
    table: {
      caption: 'Services',
      header: ['Service', 'Tags', 'Last reported', 'At (UTC)', 'Known from', 'Organization'],
      rows: entries.map(row),
    },
    context: say`The API lists no services: this directory is Steward’s own.`,
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
