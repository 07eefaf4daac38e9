import { objectOf } from '../../protocol/json.ts';
import type { Json } from '../../protocol/page-protocol.ts';
import { ApiError } from '../api-error.ts';
import type { Call, MethodTable } from '../method.ts';
import { checkMessage, checkView } from '../validation.ts';

/** Methods about the app, its tokens and its team. */
export const appMethods: MethodTable = {
  'api.test': { args: { error: 'text', foo: 'text' }, run: () => ({}) },
  'auth.test': { args: {}, run: authTest },
  'apps.connections.open': { appToken: true, args: {}, run: openConnection },
  'team.info': {
    scopes: ['team:read'],
    args: { team: 'text', domain: 'text' },
    run: ({ world }) => ({ team: { ...world.settings.team, email_domain: '' } }),
  },
  'blocks.validate': {
    args: { blocks: 'json', message: 'json', view: 'json' },
    run: validate,
  },
};

function authTest({ world }: Call): Json {
  const { settings, manifest, baseUrl } = world;
  const { enterprise } = settings;
  const orgWide = enterprise?.orgWide === true;
  return {
    url: `${baseUrl}/`,
    team: settings.team.name,
    user: manifest.botName,
    // An app of a whole organization is told that organization in place of a workspace.
    team_id: orgWide ? enterprise?.id : settings.team.id,
    ...(enterprise === null ? {} : { enterprise_id: enterprise.id }),
    user_id: settings.botUserId,
    bot_id: settings.botId,
    is_enterprise_install: orgWide,
  };
}

function openConnection({ world }: Call): Json {
  const ticket = world.ids.next('ticket-');
  world.tickets.add(ticket);
  return { url: `${world.baseUrl.replace(/^http/u, 'ws')}/link/?ticket=${ticket}` };
}

/** Needs no scope; its errors are objects. */
function validate({ world, args, method }: Call): Json {
  const view = args.json('view');
  const surface = objectOf(view)['type'] === 'home' ? 'home' : 'modal';
  const message = args.has('message') ? args.json('message') : { blocks: args.json('blocks') };
  const checked = args.has('view')
    ? checkView(world, method, { view, surface })
    : checkMessage(world, method, objectOf(message));
  if (checked.ok) return {};
  const errors = checked.messages.map((text) => {
    const [, words = text, pointer = ''] =
      /^\[ERROR\] (.*) \[json-pointer:(.*)\]$/.exec(text) ?? [];
    return { pointer, code: 'invalid', message: words };
  });
  throw new ApiError(checked.error, {
    errors,
    response_metadata: { messages: checked.messages },
  });
}
