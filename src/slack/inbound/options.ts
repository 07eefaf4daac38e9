import type { App } from '@slack/bolt';
import { z } from 'zod';
import { serviceTarget } from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';
import { option } from '../form/fields.ts';
import type { FormState } from '../form/form.ts';
import { loadForm } from '../form/open.ts';
import { placeOf, type SlackDeps } from '../outbound/deps.ts';
import { actorOf, readInteractive, readPayload } from './intake/payloads.ts';

const suggestion = z.looseObject({
  value: z.string().default(''),
  view: z.looseObject({ private_metadata: z.string().default('') }).optional(),
});

/** Choices of a service field: only those that this person may use for this operation here. */
export function registerOptions(app: App, deps: SlackDeps): void {
  app.options(/.*/u, async ({ ack, body }) => {
    const actor = actorOf(readInteractive(body));
    const { value, view } = readPayload(suggestion, body);
    const state =
      view === undefined ? undefined : await loadForm(view.private_metadata, actor, deps);
    const entries = state === undefined ? [] : await offered(state, actor, deps);
    const typed = cleanTyped(value).trim().toLowerCase();
    const matching = entries.filter(
      ({ name, id }) => name.toLowerCase().includes(typed) || id.startsWith(typed),
    );
    await ack({ options: matching.slice(0, 100).map((entry) => choice(entry, entries)) });
  });
}

async function offered(
  state: FormState,
  actor: ReturnType<typeof actorOf>,
  deps: SlackDeps,
): Promise<readonly DirectoryEntry[]> {
  const operation = deps.registry.find(state.operation);
  if (operation === undefined) return [];
  const entries = await deps.ports.directory.list();
  const judged = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      decision: await deps.policy.decide(actor, placeOf(state.channelId), {
        action: operation.id,
        risk: operation.risk,
        open: operation.open,
        targets: [serviceTarget(entry)],
      }),
    })),
  );
  return judged.filter(({ decision }) => decision.allowed).map(({ entry }) => entry);
}

/** What was picked is meant by its id, whatever else is called the same a moment later. */
function choice(entry: DirectoryEntry, all: readonly DirectoryEntry[]): ReturnType<typeof option> {
  const isUnique = all.filter(({ name }) => name === entry.name).length === 1;
  const tags = entry.tags.length === 0 ? entry.organization : entry.tags.join(', ');
  const which = isUnique ? tags : `${entry.id.slice(0, 8)} · ${tags}`;
  return option({
    value: entry.id,
    label: entry.name,
    hint: `${which} · ${entry.state ?? 'no state reported yet'}`,
  });
}
