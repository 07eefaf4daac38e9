import { z } from 'zod';
import { type RawInput, requestOptions } from '../../core/card/card.ts';
import { REASON_FIELD } from '../../core/operation/fields.ts';
import { digestOf, type Operation } from '../../core/operation/operation.ts';
import type { Issue } from '../../core/operation/outcome.ts';
import type { Request } from '../../core/pipeline/request.ts';
import type { LimitHint } from '../../core/ports/decision.ts';
import type { Actor } from '../../core/ports/ports.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { code, say } from '../../core/text/text.ts';
import { channelOf, ownerOf, type SlackDeps } from '../outbound/deps.ts';
import type { Reply } from '../outbound/replies.ts';
import { type FormOptions, type FormState, formView, inForm, sectionsWithValues } from './form.ts';

/** A form may stay open over lunch. */
const FORM_TTL_MS = 4 * 60 * 60_000;

const stored = z.object({
  operation: z.string(),
  channelId: z.string().optional(),
  raw: z.record(z.string(), z.unknown()),
  open: z.array(z.string()),
  round: z.number().optional(),
  options: requestOptions.optional(),
  limits: z.record(z.string(), z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  picks: z.record(z.string(), z.string()).optional(),
  changedAt: z.string().optional(),
  rules: z.string().optional(),
  edition: z.number().optional(),
});

/** What an open form knows, if it is this person's and not too old. */
export async function loadForm(
  id: string,
  actor: Actor,
  deps: Pick<SlackDeps, 'forms'>,
): Promise<FormState | undefined> {
  const read = stored.safeParse(await deps.forms.load(id, ownerOf(actor)));
  return read.success ? read.data : undefined;
}

export type FormOpening = {
  readonly request: Request;
  readonly raw: RawInput;
  readonly issues: readonly Issue[];
};

/**
 * Opens the operation's form with what was understood. Where the trigger is too old, a button that
 * opens it takes its place: what was typed is kept.
 */
export async function openForm(opening: FormOpening, reply: Reply): Promise<void> {
  const { request, raw, issues } = opening;
  const { actor, place, deps } = reply;
  const operation = inForm(deps.registry.get(request.operation));
  const settings = deps.ports.settings.get();
  // A form with nothing to fill in says nothing: what was too much is told, the rest offered.
  if (operation.fields.length === 0) return await offerRest(opening, reply);
  const known = operation.prefill?.(raw, settings) ?? { raw, issues: [] };
  const limits = await limitsOf(operation, reply);
  const state: FormState = {
    operation: operation.id,
    raw: {
      ...prefills(operation.fields),
      ...startsOf(limits),
      ...known.raw,
      ...reasonOf(request),
    },
    open: sectionsWithValues(operation, known.raw),
    options: request.options,
    channelId: channelOf(place),
    limits: wordsOf(limits),
    rules: rulesMark(settings),
  };
  const owner = ownerOf(actor);
  const formId = await deps.forms.save({ owner, value: state, ttlMs: FORM_TTL_MS });
  const view = formView({
    operation,
    state,
    formId,
    issues: [...issues, ...known.issues],
    ...namesIn(settings),
  });
  try {
    await reply.show(view);
  } catch (cause) {
    deps.logger.info({ operation: operation.id, cause }, 'a form could not be opened at once');
    await offerForm(opening, reply);
  }
}

type Limits = readonly (readonly [field: string, limit: LimitHint])[];

/** What the limits say, by the field that they limit. */
export function wordsOf(limits: Limits): Readonly<Record<string, string>> {
  return Object.fromEntries(limits.map(([field, { words }]) => [field, words]));
}

const marks = new WeakMap<Settings, string>();

/** Tells the rules that a form shows something of from others; no value of a credential is in it. */
export function rulesMark(settings: Settings): string {
  const known = marks.get(settings);
  if (known !== undefined) return known;
  const { channels, groups, services, defaults } = settings;
  const mark = digestOf('rules', { channels, groups, services, defaults, ...namesIn(settings) });
  marks.set(settings, mark);
  return mark;
}

/** The limits of the rules, by the field that they limit. */
export async function limitsOf(
  { id, limited = {} }: Operation,
  { actor, place, deps }: Pick<Reply, 'actor' | 'place' | 'deps'>,
): Promise<Limits> {
  const fields = Object.entries(limited);
  if (fields.length === 0) return [];
  const limits = new Map(Object.entries(await deps.policy.limits(actor, place, id)));
  return fields.flatMap(([attribute, field]) => {
    const limit = limits.get(attribute);
    return limit === undefined ? [] : [[field, limit] as const];
  });
}

/** What credential and organization fields offer: names only. */
export function namesIn(settings: Settings): Pick<FormOptions, 'credentials' | 'organizations'> {
  return {
    credentials: settings.credentials.map(({ name }) => name),
    organizations: settings.organizations.map(({ key }) => key),
  };
}

async function offerForm({ request, raw, issues }: FormOpening, reply: Reply): Promise<void> {
  const operation = reply.deps.registry.get(request.operation);
  await reply.tell({
    audience: 'requester',
    tone: 'plain',
    headline: say`Slack needs a fresh press to open the form ${operation.title}.`,
    lines: issues.map(({ message }) => [message]),
    actions: [
      {
        label: 'Open the form',
        style: 'primary',
        do: { kind: 'open', operation: operation.id, input: raw, options: request.options },
      },
    ],
  });
}

async function offerRest({ request, issues }: FormOpening, reply: Reply): Promise<void> {
  const { id, slash } = reply.deps.registry.get(request.operation);
  const words = slash.words.join(' ');
  await reply.tell({
    audience: 'requester',
    tone: 'plain',
    headline: say`Nothing was done: ${code(`${reply.deps.ports.settings.get().command} ${words}`)} takes no more words.`,
    lines: issues.map(({ message }) => [message]),
    actions: [
      {
        label: `Use ${words}`.slice(0, 75),
        style: 'primary',
        do: { kind: 'run', operation: id, input: {}, options: request.options },
      },
    ],
  });
}

/** What is limited has to be said: it starts with what is allowed. */
function startsOf(limits: Awaited<ReturnType<typeof limitsOf>>): RawInput {
  return Object.fromEntries(
    limits.flatMap(([field, { start }]) => (start === undefined ? [] : [[field, start]])),
  );
}

/** It stands in a field of its own. */
function reasonOf({ options }: Request): RawInput {
  return options?.reason === undefined ? {} : { [REASON_FIELD.key]: options.reason };
}

function prefills(
  fields: readonly { readonly key: string; readonly prefill?: string | undefined }[],
): RawInput {
  return Object.fromEntries(
    fields.flatMap(({ key, prefill }) => (prefill === undefined ? [] : [[key, prefill]])),
  );
}
