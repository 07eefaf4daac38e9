import type { App } from '@slack/bolt';
import type { DateTime } from 'luxon';
import { z } from 'zod';
import { agoText } from '../../core/operation/repeats.ts';
import { serviceTarget, visibleServices } from '../../core/operation/resolve.ts';
import type { Actor, DirectoryEntry } from '../../core/ports/ports.ts';
import { choicesIn } from '../form/fields.ts';
import { answerOf, type Findable, type Findables } from '../form/findable.ts';
import type { FormState } from '../form/form.ts';
import { loadForm, namesIn } from '../form/open.ts';
import { placeOf, type SlackDeps } from '../outbound/deps.ts';
import { actorOf, readInteractive, readPayload } from './intake/payloads.ts';
import { PICK, picksFor } from './picker.ts';

const suggestion = z.looseObject({
  action_id: z.string(),
  value: z.string().default(''),
  view: z
    .looseObject({
      callback_id: z.string().default(''),
      private_metadata: z.string().default(''),
    })
    .optional(),
});

/** Choices of a form's field, or of the picker: only those that this person may use. Facts: Modals. */
export function registerOptions(app: App, deps: SlackDeps): void {
  app.options(/.*/u, async ({ ack, body }) => {
    const actor = actorOf(readInteractive(body));
    const asked = readPayload(suggestion, body);
    await ack(answerOf(await findables(asked, actor, deps), asked.value));
  });
}

async function findables(
  { action_id: key, view }: z.output<typeof suggestion>,
  actor: Actor,
  deps: SlackDeps,
): Promise<Findables> {
  if (view === undefined) return [];
  if (view.callback_id === PICK) return await picksFor(actor, deps);
  const state = await loadForm(view.private_metadata, actor, deps);
  const operation = state && deps.registry.find(state.operation);
  const field = operation?.fields.find((one) => one.key === key);
  if (state === undefined || field === undefined) return [];
  if (field.widget === 'service') {
    const entries = await offered(state, actor, deps);
    const now = deps.ports.clock.now();
    return [{ choices: entries.map((entry) => choice(entry, entries, now)) }];
  }
  const { raw } = state;
  const choices = choicesIn(field, { raw, ...namesIn(deps.ports.settings.get()) });
  return [{ choices: choices.map((one) => ({ ...one, words: `${one.label} ${one.value}` })) }];
}

async function offered(
  state: FormState,
  actor: Actor,
  deps: SlackDeps,
): Promise<readonly DirectoryEntry[]> {
  const operation = deps.registry.find(state.operation);
  if (operation === undefined) return [];
  const place = placeOf(state.channelId);
  // What is open to everybody reveals no more than the rules let this person see.
  if (operation.open === true) return await visibleServices(deps.ports, { actor, place });
  const entries = await deps.ports.directory.list();
  const seen = await deps.policy.seen(actor, place, {
    services: entries.map(serviceTarget),
    actions: [operation.id],
  });
  return entries.filter(({ id }) => seen.has(id));
}

function stateWords({ state, stateAt }: DirectoryEntry, now: DateTime): string {
  if (state === undefined) return 'no state reported yet';
  return stateAt === undefined ? state : `${state}, ${agoText(stateAt, now)}`;
}

/** What was picked is meant by its id, whatever else is called the same a moment later. */
function choice(entry: DirectoryEntry, all: readonly DirectoryEntry[], now: DateTime): Findable {
  const isUnique = all.filter(({ name }) => name === entry.name).length === 1;
  const tags = entry.tags.length === 0 ? entry.organization : entry.tags.join(', ');
  const which = isUnique ? tags : `${entry.id.slice(0, 8)} · ${tags}`;
  return {
    value: entry.id,
    label: entry.name,
    hint: `${which} · ${stateWords(entry, now)}`,
    words: `${entry.name} ${entry.tags.join(' ')}`,
  };
}
