import { compact } from '../protocol/json.ts';
import type { Json, StateValues } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { View } from '../state/world-types.ts';

/** A view as payloads and the answers of `views.*` show it. */
export function viewPayload(world: World, view: View, values: StateValues): Json {
  const { settings } = world;
  const { body } = view;
  return compact({
    id: view.id,
    team_id: settings.team.id,
    app_id: settings.appId,
    bot_id: settings.botId,
    app_installed_team_id: settings.team.id,
    type: view.type,
    callback_id: body['callback_id'] ?? '',
    external_id: body['external_id'] ?? '',
    private_metadata: body['private_metadata'] ?? '',
    hash: view.hash,
    root_view_id: view.rootId,
    previous_view_id: view.previousId,
    title: body['title'] ?? null,
    submit: body['submit'] ?? null,
    close: body['close'] ?? null,
    clear_on_close: body['clear_on_close'] ?? false,
    notify_on_close: body['notify_on_close'] ?? false,
    blocks: body['blocks'],
    state: { values },
  });
}
