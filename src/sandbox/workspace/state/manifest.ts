import { z } from 'zod';

const shortcut = z.looseObject({
  name: z.string(),
  type: z.enum(['global', 'message']),
  callback_id: z.string(),
  description: z.string().default(''),
});

const slashCommand = z.looseObject({
  command: z.string().startsWith('/'),
  description: z.string().default(''),
  usage_hint: z.string().default(''),
  should_escape: z.boolean().default(false),
});

const manifestSchema = z.looseObject({
  display_information: z.looseObject({ name: z.string() }),
  features: z
    .looseObject({
      app_home: z.looseObject({ home_tab_enabled: z.boolean().default(false) }).optional(),
      bot_user: z.looseObject({ display_name: z.string() }).optional(),
      shortcuts: z.array(shortcut).default([]),
      slash_commands: z.array(slashCommand).default([]),
    })
    .default({ shortcuts: [], slash_commands: [] }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()).default([]) }) }),
  settings: z
    .looseObject({
      event_subscriptions: z
        .looseObject({ bot_events: z.array(z.string()).default([]) })
        .optional(),
      interactivity: z.looseObject({ is_enabled: z.boolean() }).optional(),
    })
    .default({}),
});

/** A declared command; `should_escape` turns names into ids. */
export type SlashCommand = z.output<typeof slashCommand>;

/** What the app declared: nothing else is offered to people or delivered to the bot. */
export type Manifest = {
  readonly name: string;
  readonly botName: string;
  readonly commands: readonly SlashCommand[];
  readonly shortcuts: readonly z.output<typeof shortcut>[];
  readonly scopes: readonly string[];
  readonly events: readonly string[];
  readonly homeTab: boolean;
  readonly interactivity: boolean;
};

/**
 * Reads a parsed app manifest. Throws an Error that lists every problem with its path.
 */
export function readManifest(value: unknown): Manifest {
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    throw new Error(`The app manifest does not fit:\n${z.prettifyError(parsed.error)}`);
  }
  const { display_information: display, features, oauth_config: oauth, settings } = parsed.data;
  return {
    name: display.name,
    botName: features.bot_user?.display_name ?? display.name,
    commands: features.slash_commands,
    shortcuts: features.shortcuts,
    scopes: oauth.scopes.bot,
    events: settings.event_subscriptions?.bot_events ?? [],
    homeTab: features.app_home?.home_tab_enabled ?? false,
    interactivity: settings.interactivity?.is_enabled ?? false,
  };
}
