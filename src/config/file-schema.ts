// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how the file names a variable
import { z } from 'zod';
import { schedule, scheduleName } from './schedule-schema.ts';
import {
  channelId,
  channelName,
  command,
  duration,
  emailDomain,
  plainName,
  section,
  tag,
  teamId,
  timeOfDay,
  usergroupId,
  userId,
  uuid,
  zone,
} from './shapes.ts';

/** The shape of `steward.yaml`; what refers to what is checked in references.ts. */

const access = z.enum(['allow', 'deny']);
const text = z.string().min(1);
const positive = z.number().gt(0);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Told of what the design has and this version has not. */

const limits = section({
  providers: z.array(text).min(1).exactOptional().describe('Only these cloud providers.'),
  regions: z.array(text).min(1).exactOptional().describe('Only these regions.'),
  maxReplicas: z.int().min(1).max(20).exactOptional().describe('At most so many replicas.'),
  maxMemoryGb: positive.exactOptional().describe('At most so much memory for each replica, in GB.'),
});

const denyRule = section({
  actions: z
    .array(text)
    .min(1)
    .describe('Permissions such as service.stop; * stands for any part, as in *.read.'),
  services: z
    .array(text)
    .min(1)
    .exactOptional()
    .describe('Names from services, tag:NAME, or * for all; without it the rule names no service.'),
  who: z.array(text).min(1).describe('Names from groups, anyone, or schedule:NAME.'),
});

const allowRule = section({
  ...denyRule.shape,
  approval: section({
    by: z.array(text).min(1).describe('Groups of which one person, not the asker, has to approve.'),
    within: duration.describe('How long a request waits, such as 30m.'),
  })
    .exactOptional()
    .describe('A second person has to approve.'),
  reason: z
    .literal('required')
    .exactOptional()
    .describe('Changes have to say why, by --reason or in the form; reads never have to.'),
  emailDomains: z
    .array(emailDomain)
    .min(1)
    .exactOptional()
    .describe('Invitations only to addresses of these domains.'),
  limits: limits.exactOptional().describe('What a created service may be.'),
});

const digest = section({
  at: timeOfDay.describe("The local time at which it is posted, such as '09:00'."),
  zone: zone.describe('An IANA time zone, such as Europe/Berlin.'),
  services: z.array(text).min(1).default(['*']).describe('Names, tag:NAME, or * for all costs.'),
  budgetPerDay: positive.exactOptional().describe('Cost units a day that it is compared with.'),
  every: z.enum(['day', 'week', 'month']).default('day').describe('How often it comes.'),
  anomalyFloor: z
    .number()
    .min(0)
    .exactOptional()
    .describe('Unusual costs below so many units are not pointed out.'),
});

const channel = section({
  id: channelId.describe('As in "Copy link" of the channel: C0… or G0….'),
  allow: z
    .array(allowRule)
    .default([])
    .describe('What may be done here. Everything else is denied.'),
  deny: z.array(denyRule).default([]).describe('What may not, whatever allows it.'),
  digest: digest.exactOptional().describe('The cost summary that is posted here.'),
  guests: access.exactOptional().describe('Whether rules apply to guests of the workspace here.'),
  externalPeople: access
    .exactOptional()
    .describe('Whether rules apply to people of other workspaces here.'),
});

const organization = section({
  id: uuid.describe('The id of the organization in the cloud.'),
  keyId: text.describe('The id of its API key; take it from the environment: ${NAME}.'),
  keySecret: text.describe('The secret of its API key; take it from the environment: ${NAME}.'),
  names: z
    .enum(['neutral', 'clickhouse'])
    .default('neutral')
    .describe('How its API speaks: by the specification, or as ClickHouse Cloud does.'),
});

const credential = section({
  username: text.exactOptional().describe('Of Kafka or a database.'),
  password: text.exactOptional().describe('Take it from the environment: ${NAME}.'),
  accessKeyId: text.exactOptional().describe('Of an object storage.'),
  secretKey: text.exactOptional().describe('Take it from the environment: ${NAME}.'),
  connectionString: text
    .exactOptional()
    .describe('Of an Azure storage or event hub; from the environment.'),
  certificate: text.exactOptional().describe('Of Kafka with mutual TLS: PEM text.'),
  privateKey: text.exactOptional().describe('Its private key; from the environment.'),
  serviceAccountKey: text
    .exactOptional()
    .describe('Of Google Cloud Storage: the key file; from the environment.'),
  value: text.exactOptional().describe('A single secret, such as a disk encryption key.'),
}).refine((values) => Object.keys(values).length > 0, 'holds no value');

export const stewardFile = section({
  command: command.default('/db').describe('The slash command; also in manifest.yml.'),
  slack: section({
    workspaces: z
      .array(teamId)
      .default([])
      .describe('Workspaces that may send anything. Empty: only the one the bot is installed in.'),
  })
    .default({ workspaces: [] })
    .describe('Where Steward listens.'),
  organizations: z
    .record(plainName, organization)
    .default({})
    .describe('Organizations of the cloud, by a name of yours.'),
  services: z
    .record(
      plainName,
      section({
        id: uuid.describe('The id of the service in the cloud.'),
        organization: text
          .exactOptional()
          .describe('A name from organizations; not needed where there is one.'),
        tags: z.array(tag).default([]).describe('Words that rules name as tag:WORD.'),
      }),
    )
    .default({})
    .describe('Services that people may name.'),
  groups: z
    .record(
      plainName,
      section({
        users: z.array(userId).default([]).describe('Members by id (profile, Copy member ID).'),
        usergroups: z
          .array(usergroupId)
          .default([])
          .describe('User groups of Slack by id; their members count.'),
      }),
    )
    .default({})
    .describe('Who is meant by a name in who and by.'),
  credentials: z
    .record(plainName, credential)
    .default({})
    .describe('What a pipe needs to read its source; people name it, nobody sees it.'),
  presets: z
    .record(plainName, z.record(text, z.unknown()))
    .default({})
    .describe('Values of the create form under one name: --preset NAME.'),
  channels: z.record(channelName, channel).default({}).describe('The rules, by channel.'),
  defaults: section({
    directMessages: access.default('deny').describe('Commands in direct messages.'),
    externalPeople: access.default('deny').describe('People of other workspaces.'),
    guests: access.default('deny').describe('Guests of this workspace.'),
  })
    .default({ directMessages: 'deny', externalPeople: 'deny', guests: 'deny' })
    .describe('What counts where a channel says nothing else.'),
  audit: section({
    channel: channelId.exactOptional().describe('One line for each change is posted here.'),
    watch: z
      .boolean()
      .exactOptional()
      .describe('What others changed is told there too, where the cloud shows it.'),
  })
    .default({})
    .describe('Who is told of every change.'),
  schedules: z
    .record(scheduleName, schedule)
    .default({})
    .describe('Services that stop at night, and when they start again.'),
  generatedPassword: z
    .enum(['show-once', 'discard'])
    .default('show-once')
    .describe('What becomes of the password of a created service.'),
  passwordFor: duration
    .refine((ms) => ms >= 5 * MINUTE_MS && ms <= 24 * HOUR_MS, 'must be from 5m to 24h')
    .default(4 * HOUR_MS)
    .describe('How long it can be shown, from 5m to 24h.'),
  currency: section({
    name: z.string().min(1).max(10).describe('As it is written behind the amount, such as EUR.'),
    perUnit: positive.describe('What one cost unit costs.'),
  })
    .exactOptional()
    .describe('Amounts are shown in it as well, as an estimate.'),
  limits: section({
    perPersonPerMinute: z.int().min(1).max(10_000).default(30).describe('Of one person.'),
    perChannelPerMinute: z.int().min(1).max(10_000).default(120).describe('In one channel.'),
  })
    .default({ perPersonPerMinute: 30, perChannelPerMinute: 120 })
    .describe('Requests above these are refused.'),
});

export type StewardFile = z.output<typeof stewardFile>;
export type AllowRuleInFile = z.output<typeof allowRule>;
export type DenyRuleInFile = z.output<typeof denyRule>;

/** For editors: what they complete, explain and underline in `steward.yaml`. */
export function stewardFileSchema(): object {
  return {
    title: 'steward.yaml',
    ...z.toJSONSchema(stewardFile, { io: 'input', unrepresentable: 'any' }),
  };
}
