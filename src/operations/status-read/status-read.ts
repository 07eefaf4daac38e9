import { z } from 'zod';
import type { Card, Fact } from '../../core/card/card.ts';
import { glimpse } from '../../core/operation/glimpse.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Ports, Status } from '../../core/operation/ports.ts';
import type { ClosedEye, Eye } from '../../core/ports/sight.ts';
import { type Trouble, troubleText } from '../../core/ports/troubles.ts';
import type { DigestSettings } from '../../core/settings/settings.ts';
import { channel, code, say, type Text, time } from '../../core/text/text.ts';
import { type KeySees, keySeesText, seesItsOwn } from './key-sees.ts';

const input = z.strictObject({});

type Report = {
  readonly version: string;
  readonly startedAt: string;
  readonly database: 'answers' | 'does not answer';
  readonly connections: number;
  readonly others: number;
  readonly control: ReturnType<Status['control']>;
  readonly audit: ReturnType<Status['audit']>;
  readonly troubles: readonly Trouble[];
  readonly closedEyes: readonly ClosedEye[];
  readonly keys: readonly KeySees[];
  readonly requests: number;
  readonly digests: readonly Digest[];
};

type Digest = Pick<DigestSettings, 'at' | 'zone' | 'every'> & {
  readonly channelId: string;
  readonly last: Awaited<ReturnType<Status['summary']>>;
};

/** `/db status`: what Steward knows of itself, and nothing that it only guesses. */
export const statusRead = defineOperation({
  id: 'status.read',
  summary: 'Show how Steward itself is doing',
  title: 'Status',
  risk: 'read',
  slash: { words: ['status'], positional: [], examples: ['status'] },
  input,
  refused: () => say`The status was not shown`,
  plan: async () => ({}),
  targets: () => [],
  execute: async (_plan, ports, context) => ({ result: await look(ports, context) }),
  present,
});

async function look(ports: Ports, context: Context): Promise<Report> {
  const { status, pending, settings } = ports;
  const [keys, database, others, open, troubles] = await Promise.all([
    lookAtKeys(ports, context),
    status.database(),
    status.others(),
    pending.open(),
    status.troubles(),
  ]);
  return {
    keys,
    version: status.version,
    startedAt: status.startedAt,
    database,
    connections: status.connections(),
    others,
    control: status.control(),
    audit: status.audit(),
    troubles,
    closedEyes: status.closedEyes(),
    requests: open.filter(({ kind }) => kind === 'approval').length,
    digests: await digestsOf({ status, settings }),
  };
}

/** Of clouds that list the organizations of a key; where nobody could look, nothing is said. */
async function lookAtKeys(ports: Ports, context: Context): Promise<readonly KeySees[]> {
  const { organizations } = ports.settings.get();
  const all = await Promise.all(
    organizations.map(async ({ key, id }) => {
      const seen = await glimpse(
        { organization: key, of: 'report', look: (sight, call) => sight.organizations(call) },
        ports,
        context,
      );
      return seen === undefined ? [] : [{ organization: { key, id }, seen }];
    }),
  );
  return all.flat();
}

/** Of the first organization that has posted: a channel's scope is often one alone. */
async function digestsOf({
  status,
  settings,
}: Pick<Ports, 'status' | 'settings'>): Promise<readonly Digest[]> {
  const { channels, organizations } = settings.get();
  const digests: Digest[] = [];
  for (const { id: channelId, digest } of channels) {
    if (digest === undefined) continue;
    const { at, zone, every } = digest;
    const posts = await Promise.all(
      organizations.map(({ key }) =>
        status.summary({ channel: channelId, organization: key, period: every }),
      ),
    );
    const last = posts.find(({ day }) => day !== undefined) ?? posts[0] ?? {};
    digests.push({ at, zone, every, channelId, last });
  }
  return digests;
}

function present(seen: Report): Card {
  const trouble =
    seen.connections === 0 ||
    seen.database !== 'answers' ||
    seen.audit !== undefined ||
    seen.troubles.length > 0 ||
    seen.closedEyes.length > 0 ||
    !seen.keys.every(seesItsOwn) ||
    isFailing(seen.control);
  const others = seen.others === 0 ? [] : say` ${seen.others} more on the same database.`;
  return {
    audience: 'requester',
    shareable: true,
    tone: trouble ? 'warning' : 'plain',
    headline: trouble
      ? say`Steward ${seen.version} runs, but not all is well.`
      : say`Steward ${seen.version} is well.`,
    facts: [
      { label: 'Running since', value: say`${time(seen.startedAt)}.${others}` },
      { label: 'Connections from Slack', value: say`${seen.connections}` },
      { label: 'Database', value: [seen.database] },
      { label: 'Control API', value: controlWords(seen.control) },
      ...seen.keys.map((keySees) => ({ label: 'Key', value: keySeesText(keySees) })),
      ...(seen.audit === undefined
        ? []
        : [{ label: 'Audit channel', value: auditWords(seen.audit) }]),
      ...seen.troubles.map(troubleFact),
      ...seen.closedEyes.map(eyeFact),
      { label: 'Requests that wait', value: say`${seen.requests}` },
    ],
    details: seen.digests.map(digestFact),
  };
}

function troubleFact(trouble: Trouble): Fact {
  return { label: 'To mend', value: say`${troubleText(trouble)}; since ${time(trouble.since)}` };
}

/** What Steward cannot see of a cloud now; no command needs it. Design: §14. */
function eyeFact({ organization, eye, serviceId, because, until }: ClosedEye): Fact {
  const of = serviceId === undefined ? [organization] : say`service ${code(serviceId)}`;
  const value = say`${EYE_WORDS[eye]} of ${of}: ${because}; asked again after ${time(until, 'time')}`;
  return { label: 'Not seen', value };
}

const EYE_WORDS: Readonly<Record<Eye, string>> = {
  organizations: 'the list of organizations',
  invitations: 'the list of invitations',
  pipes: 'the pipes',
  backups: 'the backups',
  dashboards: 'the dashboards',
  services: 'the list of services',
  service: 'single services',
  pipe: 'single pipes',
  activities: 'the list of activities',
};

/** The last word of the API counts, whichever it was. */
function isFailing({ answeredAt = '', failedAt = '' }: Report['control']): boolean {
  return failedAt > answeredAt;
}

function auditWords({ channelId, reason, at }: NonNullable<Report['audit']>): Text {
  return say`${channel(channelId)} took no message at ${time(at)}: ${code(reason)}`;
}

function controlWords(control: Report['control']): Text {
  const { answeredAt, failedAt, failure } = control;
  if (answeredAt === undefined && failedAt === undefined) return say`not asked since the start`;
  const answered =
    answeredAt === undefined ? say`no answer since the start` : say`answered ${time(answeredAt)}`;
  if (failedAt === undefined) return answered;
  return say`${answered}; last failure ${time(failedAt)}${failure === undefined ? '' : say`, ${code(failure)}`}`;
}

function digestFact({ channelId, at, zone, every, last }: Digest): Fact {
  const { day, state, paused, missed = [] } = last;
  const posted =
    day === undefined ? say`none posted yet` : say`last for ${day} (UTC), ${state ?? 'posted'}`;
  const gone = missed.length === 0 ? [] : say`; not posted for ${missed.join(', ')}`;
  const halted =
    paused === undefined ? [] : say`; paused since ${time(paused.at)}, because ${paused.reason}`;
  return {
    label: 'Cost summary',
    value: say`${channel(channelId)} every ${every} at ${at} ${zone}; ${posted}${gone}${halted}`,
  };
}
