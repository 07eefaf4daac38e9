import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { RawInput } from '../../../core/card/card.ts';
import type { Operation } from '../../../core/operation/operation.ts';
import type { Issue } from '../../../core/operation/outcome.ts';
import { withoutSecrets } from '../../../core/pipeline/redact.ts';
import { type FormState, formView, inForm } from '../../form/form.ts';
import { loadForm, namesIn } from '../../form/open.ts';
import { readLabels, readPicks, readValues } from '../../form/values.ts';
import { ownerOf, type SlackDeps } from '../../outbound/deps.ts';
import { actorOf, type Interactive, readInteractive, readPayload } from '../intake/payloads.ts';

const viewShape = z.looseObject({
  // It goes back to Slack as it came.
  id: z.string().regex(/^[\w.-]{1,64}$/u),
  callback_id: z.string().default(''),
  hash: z.string().default(''),
  private_metadata: z.string().default(''),
  state: z.looseObject({ values: z.unknown() }).optional(),
  blocks: z.array(z.looseObject({ block_id: z.string().optional() })).optional(),
});
export const withView = z.looseObject({ view: viewShape });

/** A form that stands open, as a payload of its view shows it. */
export type Opened = {
  readonly payload: Interactive;
  readonly view: z.output<typeof viewShape>;
  readonly state: FormState;
  readonly operation: Operation;
  /** What may be kept of what was typed. */
  readonly raw: RawInput;
  readonly typed: RawInput;
};

/** Undefined where it is somebody else's, or too old. Throws UnfitPayload. */
export async function readForm(body: unknown, deps: SlackDeps): Promise<Opened | undefined> {
  const payload = readInteractive(body);
  const { view } = readPayload(withView, body);
  const before = await loadForm(view.private_metadata, actorOf(payload), deps);
  const found = before && deps.registry.find(before.operation);
  if (before === undefined || found === undefined) return undefined;
  const operation = inForm(found);
  const values = view.state?.values;
  const typed = readValues(values, operation.fields, before.raw);
  const { raw } = withoutSecrets(typed, deps.holdsSecret);
  const state = {
    ...before,
    labels: { ...before.labels, ...readLabels(values) },
    picks: readPicks(values, operation.fields, before.picks),
  };
  return { payload, view, state, operation, raw, typed };
}

export async function keepForm(
  { view, payload }: Pick<Opened, 'view' | 'payload'>,
  state: FormState,
  deps: SlackDeps,
): Promise<void> {
  await deps.forms.update(view.private_metadata, ownerOf(actorOf(payload)), state);
}

/** The form as it is kept now: another payload of it may have come meanwhile. */
export async function latestOf(
  { view, payload }: Opened,
  deps: SlackDeps,
): Promise<FormState | undefined> {
  return await loadForm(view.private_metadata, actorOf(payload), deps);
}

export function draw(
  { operation, view }: Pick<Opened, 'operation' | 'view'>,
  state: FormState,
  issues: readonly Issue[],
  deps: SlackDeps,
): ModalView {
  const names = namesIn(deps.ports.settings.get());
  return formView({ operation, state, formId: view.private_metadata, issues, ...names });
}

/** Works on one form one after the other: each change builds on what the one before kept. */
export type Turns = {
  take(formId: string, work: () => Promise<void>): Promise<void>;
  /** Whether it is being drawn now. */
  busy(formId: string): boolean;
};

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    busy: (formId) => last.has(formId),
    take: async (formId, work) => {
      const before = last.get(formId) ?? Promise.resolve();
      const turn = before.then(work, work);
      last.set(formId, turn);
      try {
        await turn;
      } finally {
        if (last.get(formId) === turn) last.delete(formId);
      }
    },
  };
}
