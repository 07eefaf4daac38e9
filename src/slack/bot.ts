import type { App } from '@slack/bolt';
import { registerActions } from './inbound/actions.ts';
import { registerCommands } from './inbound/commands.ts';
import { registerDenials } from './inbound/denials.ts';
import { registerForms } from './inbound/forms/forms.ts';
import { registerHome } from './inbound/home.ts';
import { guardPayloads } from './inbound/intake/guard.ts';
import { registerMentions } from './inbound/mentions.ts';
import { registerOptions } from './inbound/options.ts';
import { registerShortcuts } from './inbound/shortcuts.ts';
import type { SlackDeps } from './outbound/deps.ts';
import { createReplies } from './outbound/replies.ts';

/** All entry points of Slack; whatever comes in through them is judged by the same policy. */
export function registerRoutes(app: App, deps: SlackDeps): void {
  const replies = createReplies(deps);
  guardPayloads(app, replies);
  registerCommands(app, replies);
  registerMentions(app, replies);
  registerActions(app, replies);
  // Before the forms: its view has a callback id of its own.
  registerShortcuts(app, replies);
  registerForms(app, replies);
  registerDenials(app, replies);
  registerOptions(app, deps);
  registerHome(app, deps);
}
