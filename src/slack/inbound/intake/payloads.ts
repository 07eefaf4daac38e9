import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '../../../core/ports/ports.ts';
import { canonicalJson } from '../../../core/text/json.ts';
import { placeOf, type ReplyTo } from '../../outbound/deps.ts';

/** As Slack writes them: U01ANA, T0ACME, C0OPS. Nothing else is ever shown as a mention. */
export const slackId = z.string().regex(/^[A-Z][A-Z0-9]{1,31}$/u);
const id = slackId;
const name = z.string().max(255);
/** An empty one tells nothing apart. */
const key = name.nullish().transform((text) => (text === '' ? undefined : (text ?? undefined)));
/** A part by which Bolt would take the payload for one of another kind. */
const absent = z.undefined().optional();

/** Answers go there: nothing but an address of the web may stand in it. */
export const responseUrl = z.url({ protocol: /^https?$/u }).max(2_000);

/** The longest text of a command; a message has no more characters either. */
export const MAX_COMMAND = 12_000;

const command = z.looseObject({
  command: z.string().regex(/^\/\S{1,64}$/u),
  text: z.string().max(MAX_COMMAND).default(''),
  team_id: id,
  user_id: id,
  channel_id: id,
  trigger_id: key,
  response_url: responseUrl.optional(),
  enterprise_id: id.nullish(),
  is_enterprise_install: name.optional(),
});

/** The parts of an interactive payload that Steward reads; all the rest is ignored. */
const interactive = z.looseObject({
  trigger_id: key,
  user: z.looseObject({ id, team_id: id.optional() }),
  team: z.looseObject({ id }).nullish(),
  enterprise: z.looseObject({ id }).nullish(),
  channel: z.looseObject({ id }).optional(),
  container: z
    .looseObject({
      message_ts: z.string().max(64).optional(),
      channel_id: id.optional(),
      is_ephemeral: z.boolean().optional(),
      thread_ts: z.string().max(64).optional(),
    })
    .nullish(),
  response_url: responseUrl.optional(),
  response_urls: z.array(z.looseObject({ response_url: z.string().max(2_000) })).optional(),
  function_data: absent,
  command: absent,
});
const unnamed = { name: absent };
const inactive = { ...unnamed, actions: absent };

const view = z.looseObject({
  id: name.min(1),
  callback_id: name,
  hash: name.optional(),
  private_metadata: z.string().optional(),
  state: z.looseObject({ values: z.unknown() }).optional(),
  app_installed_team_id: id.nullish(),
});
const action = z.looseObject({
  action_id: name,
  block_id: name,
  value: z.string().nullish(),
});
const submission = interactive.extend({ ...inactive, view });

export const eventShape = z.looseObject({
  type: z.literal('event_callback'),
  team_id: id,
  event_id: key,
  authorizations: z
    .array(z.looseObject({ team_id: id.nullish(), enterprise_id: id.nullish() }))
    .nullish(),
  event: z.looseObject({
    // Bolt does not acknowledge this one, and no part of Steward is a step of a workflow.
    type: name.refine((type) => type !== 'function_executed'),
    user: z.union([id, z.looseObject({ id })]).optional(),
    channel: z.union([id, z.looseObject({ id })]).optional(),
    channel_id: id.optional(),
    item: z.looseObject({}).optional(),
    subteam: z.looseObject({}).optional(),
  }),
});

/** What each kind of payload has to look like before Bolt or a route may read it. */
const SHAPES = {
  slash_command: command,
  event_callback: eventShape,
  block_actions: interactive.extend({
    ...unnamed,
    actions: z.array(action).min(1),
    view: view.optional(),
  }),
  block_suggestion: interactive.extend({
    action_id: name,
    block_id: name.optional(),
    value: z.string().optional(),
    view: view.optional(),
  }),
  view_submission: submission,
  view_closed: submission,
  shortcut: interactive.extend({ ...inactive, callback_id: name }),
  message_action: interactive.extend({
    ...inactive,
    callback_id: name,
    // Of any app: what stands in it is read piece by piece.
    message: z.looseObject({}),
  }),
} satisfies Record<string, z.ZodType>;

export type PayloadKind = keyof typeof SHAPES;
export type Interactive = z.output<typeof interactive>;
export type Command = z.output<typeof command>;

/** What does not fit: the path of the first part that does not, in our own names. */
export class UnfitPayload extends Error {
  override readonly name = 'UnfitPayload';
  readonly path: string;

  constructor(path: string, cause?: unknown) {
    super('A payload that Slack would not send.', { cause });
    this.path = path;
  }
}

/** Reads a part of a payload as a route needs it. Throws UnfitPayload, which guard.ts answers. */
export function readPayload<S extends z.ZodType>(shape: S, body: unknown): z.output<S> {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  throw new UnfitPayload(read.error.issues[0]?.path.map(String).join('.') ?? '', read.error);
}

/** What Bolt will take a payload for; undefined for what Slack does not send. */
export function kindOf(body: Readonly<Record<string, unknown>>): PayloadKind | undefined {
  if (body['event'] !== undefined) return 'event_callback';
  if (body['command'] !== undefined) return 'slash_command';
  const { type } = body;
  return typeof type === 'string' && Object.hasOwn(SHAPES, type) && type !== 'event_callback'
    ? (type as PayloadKind)
    : undefined;
}

/** `@Steward …` in a message. */
export function isMention(body: Readonly<Record<string, unknown>>): boolean {
  return z.looseObject({ event: z.looseObject({ type: z.literal('app_mention') }) }).safeParse(body)
    .success;
}

/** Throws UnfitPayload for a payload that a route or Bolt itself could stumble over. */
export function checkPayload(kind: PayloadKind, body: object): void {
  if (kind === 'slash_command') readCommands.set(body, readPayload(command, body));
  else readPayload(SHAPES[kind], body);
}

/** What the check before Bolt read is what the route reads after it. */
const readCommands = new WeakMap<object, Command>();

/** Throws UnfitPayload for a payload that Slack would not send. */
export function readInteractive(body: unknown): Interactive {
  return readPayload(interactive, body);
}

/** Throws UnfitPayload for a payload that Slack would not send. */
export function readCommand(body: object): Command {
  return readCommands.get(body) ?? readPayload(command, body);
}

/**
 * Who pressed: the person's own team, which in a shared channel is not the app's. Where the payload
 * names both, both are judged.
 */
export function actorOf(payload: Interactive): Actor {
  const app = payload.team?.id;
  const teamId = payload.user.team_id ?? app ?? '';
  const actor = { userId: payload.user.id, teamId };
  return app === undefined || app === teamId ? actor : { ...actor, via: app };
}

/** A message that others replied to is named as its own thread; what is pressed in it is not in one. */
function threadIn(container: Interactive['container']): string | undefined {
  const thread = container?.thread_ts;
  return thread === container?.message_ts ? undefined : thread;
}

/** Where an interactive payload came from and how to answer it. */
export function replyToOf(payload: Interactive): ReplyTo {
  const { container, trigger_id, response_url } = payload;
  const channelId = payload.channel?.id ?? container?.channel_id;
  const pressed =
    container?.channel_id === undefined
      ? undefined
      : {
          ephemeral: container.is_ephemeral === true,
          channelId: container.channel_id,
          ts: container.message_ts,
        };
  return {
    actor: actorOf(payload),
    place: placeOf(channelId, threadIn(container)),
    delivery: deliveryOf(payload),
    triggerId: trigger_id,
    responseUrl: response_url,
    pressed,
  };
}

/**
 * What tells a payload from all others: its trigger, which Slack repeats with it; where there is
 * none, all that it holds. Facts: Repeats.
 */
export function deliveryOf(payload: { readonly trigger_id?: string | undefined }): string {
  return payload.trigger_id ?? hashOf(payload);
}

/** The same for events, which have an id instead of a trigger. */
export function eventDeliveryOf(payload: { readonly event_id?: string | undefined }): string {
  return payload.event_id ?? hashOf(payload);
}

function hashOf(payload: unknown): string {
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}
