import type { App } from '@slack/bolt';
import type { SlackDeps } from './deps.ts';
import { guardPayloads } from './guard.ts';
import { registerHome } from './home.ts';
import { registerActions } from './routes/actions.ts';
import { registerCommands } from './routes/commands.ts';
import { registerDenials } from './routes/denials.ts';
import { registerForms } from './routes/forms.ts';
import { registerOptions } from './routes/options.ts';
import { registerShortcuts } from './routes/shortcuts.ts';

/** All entry points of Slack; whatever comes in through them is judged by the same policy. */
export function registerRoutes(app: App, deps: SlackDeps): void {
  guardPayloads(app, deps);
  registerCommands(app, deps);
  registerActions(app, deps);
  // Before the forms: its view has a callback id of its own.
  registerShortcuts(app, deps);
  registerForms(app, deps);
  registerDenials(app, deps);
  registerOptions(app, deps);
  registerHome(app, deps);
}
