import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { freshTrigger, interactive, type Siege } from './attacks.ts';

/** What an attacker would change in a submitted view, next to the ids of payload and person. */
export type ViewEdit = {
  readonly form: string;
  readonly callbackId?: string;
  /** `state.values`, whole. */
  readonly values?: unknown;
  readonly viewId?: string;
};

/** A submission as Slack sends it. */
export function submissionOf(edit: ViewEdit, payload: Json = {}): Json {
  return interactive('view_submission', {
    view: { ...viewOf(edit), state: { values: edit.values ?? chosen('scratch') } },
    response_urls: [],
    ...payload,
  });
}

export function suggestionOf(form: string, payload: Json = {}): Json {
  return interactive('block_suggestion', {
    container: { type: 'view', view_id: 'V1' },
    view: viewOf({ form }),
    action_id: 'service',
    block_id: 'f:service',
    value: 's',
    ...payload,
  });
}

/** `state.values` of a form for one service. */
export function chosen(service: unknown): Json {
  const option = { type: 'external_select', selected_option: { value: service } };
  return { 'f:service': { service: option } };
}

/** What the form of the view that this person has on top carries in `private_metadata`. */
export function formIdOf(siege: Siege, viewId: string): string {
  const opened = siege.world.workspace
    .traffic()
    .filter(
      ({ what, answered }) => what === 'views.open' && JSON.stringify(answered).includes(viewId),
    );
  const sent = JSON.stringify(opened.at(-1)?.sent);
  return /\\*"private_metadata\\*":\\*"([^"\\]+)/u.exec(sent)?.[1] ?? '';
}

function viewOf({
  form,
  callbackId = 'service.stop',
  viewId = `V${freshTrigger()}`,
}: ViewEdit): Json {
  return {
    id: viewId,
    team_id: 'T0ACME',
    app_id: 'A0STEWARD',
    type: 'modal',
    callback_id: callbackId,
    private_metadata: form,
    hash: '1',
    blocks: [],
  };
}
