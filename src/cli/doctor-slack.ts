import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Environment } from '../config/environment.ts';
import type { Clock } from '../core/ports/ports.ts';
import { otherId, type Settings } from '../core/settings/settings.ts';
import { networkFault } from '../core/text/network-fault.ts';
import { SCOPES } from '../slack/manifest.ts';
import { approvalFindings } from './doctor-approvals.ts';
import { type Finding, fine, problem } from './output.ts';

export const SLACK_API = 'https://slack.com/api/';
const WITHIN_MS = 10_000;

const answered = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  team: z.string().optional(),
  team_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
});
const described = z.looseObject({
  channel: z
    .looseObject({
      id: z.string().optional(),
      name: z.string().optional(),
      is_member: z.boolean().optional(),
      is_archived: z.boolean().optional(),
    })
    .optional(),
});

type Answer = { readonly body: z.output<typeof answered>; readonly headers: Headers };

/** The tokens, the scopes, the clock, and each channel of the settings, by calls that only read. */
export async function checkSlack(
  environment: Environment,
  settings: Settings,
  { clock, fetch }: { readonly clock: Clock; readonly fetch: Fetch },
): Promise<readonly Finding[]> {
  const call = slackCaller(environment.slackApiUrl ?? SLACK_API, fetch);
  const bot = environment.slackBotToken;
  let answer: Answer;
  try {
    answer = await call('auth.test', bot);
  } catch (error) {
    const todo = networkFault(error)?.why ?? 'check the network, the proxy and SLACK_API_URL';
    return [problem('Slack: does not answer', todo)];
  }
  const { body, headers } = answer;
  if (!body.ok) {
    const todo = 'put the bot token of the installed app into SLACK_BOT_TOKEN';
    return [problem(`Slack: refuses the bot token (${body.error ?? 'no reason'})`, todo)];
  }
  if (body.is_enterprise_install === true) {
    const todo = 'install it in one workspace, and put that token into SLACK_BOT_TOKEN';
    return [problem('Slack: the app is installed for a whole Enterprise Grid organization', todo)];
  }
  const { slackConnection } = environment;
  return [
    fine(`Slack: signed in to ${body.team ?? body.team_id ?? 'the workspace'}`),
    workspaceFinding(body.team_id, settings),
    scopeFinding(headers.get('x-oauth-scopes')),
    ...skewOf(headers.get('date'), clock),
    ...(slackConnection.mode === 'socket'
      ? [await socketFinding(call, slackConnection.appToken)]
      : [fine(`Slack: events arrive by HTTP on port ${slackConnection.port}`)]),
    ...(await channelFindings(call, bot, settings)),
    ...(await approvalFindings(call, bot, settings)),
  ];
}

type Fetch = typeof globalThis.fetch;
export type SlackCall = (
  method: string,
  token: string,
  args?: Record<string, string>,
) => Promise<Answer>;

export function slackCaller(apiUrl: string, fetch: Fetch): SlackCall {
  return async (method, token, args = {}) => {
    const response = await fetch(new URL(method, apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    return { body: answered.parse(await response.json()), headers: response.headers };
  };
}

function workspaceFinding(team: string | undefined, { workspaces }: Settings): Finding {
  if (workspaces.length === 0 || (team !== undefined && workspaces.includes(team))) {
    return fine('Slack: the workspace is one that steward.yaml serves');
  }
  return problem(
    `Slack: the workspace ${team ?? ''} is not in slack.workspaces`,
    'add its id there, or install the app in the right workspace',
  );
}

function scopeFinding(header: string | null): Finding {
  if (header === null) return fine('Slack: scopes were not told');
  const granted = new Set(header.split(',').map((scope) => scope.trim()));
  const missing = SCOPES.filter((scope) => !granted.has(scope));
  if (missing.length === 0) return fine(`Slack: all ${SCOPES.length} scopes are granted`);
  return problem(
    `Slack: the scopes ${missing.join(', ')} are missing`,
    'update the app from `steward manifest` and install it again',
  );
}

function skewOf(header: string | null, clock: Clock): readonly Finding[] {
  const there = DateTime.fromHTTP(header ?? '');
  return there.isValid ? [skewFinding(clock.now().toMillis(), there.toMillis(), 'Slack')] : [];
}

/** Gives out a ticket that nobody uses: no connection is opened, none is closed. */
async function socketFinding(call: SlackCall, appToken: string): Promise<Finding> {
  try {
    const { body } = await call('apps.connections.open', appToken);
    if (body.ok) return fine('Slack: Socket Mode takes the app token');
    return problem(
      `Slack: Socket Mode refuses the app token (${body.error ?? 'no reason'})`,
      'make an app-level token with connections:write and put it into SLACK_APP_TOKEN',
    );
  } catch {
    return problem('Slack: Socket Mode does not answer', 'check the network, then try again');
  }
}

async function channelFindings(
  call: SlackCall,
  token: string,
  { channels, audit }: Settings,
): Promise<readonly Finding[]> {
  const named = new Map(channels.map(({ id, name }) => [id, name]));
  if (audit.channel !== undefined && !named.has(audit.channel)) named.set(audit.channel, 'audit');
  const findings: Finding[] = [];
  for (const [id, name] of named) {
    findings.push(await channelFinding(call, token, { id, name }));
  }
  return findings;
}

async function channelFinding(
  call: SlackCall,
  token: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Finding> {
  const what = `channel ${name} (${id})`;
  try {
    const { body } = await call('conversations.info', token, { channel: id });
    if (!body.ok) {
      const other = otherId(id);
      const { body: there } = await call('conversations.info', token, { channel: other });
      if (there.ok) return renamed(what, other);
      const todo = 'check the id; in a private channel, invite the app first';
      return problem(`${what}: ${body.error ?? 'not described'}`, todo);
    }
    const { channel } = described.parse(body);
    if (channel?.id !== undefined && channel.id !== id) return renamed(what, channel.id);
    if (channel?.is_archived === true) {
      return problem(`${what}: is archived`, 'bring it back, or take it out of steward.yaml');
    }
    if (channel?.is_member !== true) {
      return problem(`${what}: the app is not in it`, 'type `/invite @Steward` there');
    }
    return fine(`${what}: can be read and posted to`);
  } catch {
    return problem(`${what}: no answer from Slack`, 'try again');
  }
}

function renamed(what: string, now: string): Finding {
  return problem(`${what}: Slack now calls this channel ${now}`, 'change the id in steward.yaml');
}

/** Apart from these the clock of this computer and another one are taken as equal, in ms. */
const SKEW_MS = 60_000;

/**
 * This computer's clock against an HTTP `Date` header, which has whole seconds. Slack refuses to be
 * trusted beyond 5 minutes, and approvals are told in minutes.
 */
function skewFinding(here: number, there: number, whose: string): Finding {
  const seconds = Math.round((here - there) / 1_000);
  if (Math.abs(here - there) <= SKEW_MS) return fine(`clock: agrees with ${whose} (${seconds} s)`);
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return problem(
    `clock: ${Math.abs(seconds)} s ${way} ${whose}`,
    'set this computer’s clock by NTP: signatures and approvals depend on it',
  );
}
