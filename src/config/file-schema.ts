import { z } from 'zod';
import { didYouMean } from '../core/text/typed-text.ts';
import {
  channelId,
  channelName,
  command,
  duration,
  emailDomain,
  plainName,
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
const NOT_YET = { error: 'is not available yet' } as const;

const limits = section({
  providers: z.array(text).min(1).exactOptional(),
  regions: z.array(text).min(1).exactOptional(),
  maxReplicas: z.int().min(1).max(20).exactOptional(),
  maxMemoryGb: positive.exactOptional(),
});

const denyRule = section({
  actions: z.array(text).min(1),
  services: z.array(text).min(1).exactOptional(),
  who: z.array(text).min(1),
});

const allowRule = section({
  ...denyRule.shape,
  approval: section({ by: z.array(text).min(1), within: duration }).exactOptional(),
  emailDomains: z.array(emailDomain).min(1).exactOptional(),
  limits: limits.exactOptional(),
});

const digest = section({
  at: timeOfDay,
  zone,
  services: z.array(text).min(1).default(['*']),
  budgetPerDay: positive.exactOptional(),
  every: z.enum(['day', 'week', 'month']).default('day'),
  anomalyFloor: z.number().min(0).exactOptional(),
});

const channel = section({
  id: channelId,
  allow: z.array(allowRule).default([]),
  deny: z.array(denyRule).default([]),
  digest: digest.exactOptional(),
  guests: access.exactOptional(),
  externalPeople: access.exactOptional(),
});

const organization = section({
  id: uuid,
  keyId: text,
  keySecret: text,
  names: z.enum(['neutral', 'clickhouse']).default('neutral'),
});

const credential = section({
  username: text.exactOptional(),
  password: text.exactOptional(),
  accessKeyId: text.exactOptional(),
  secretKey: text.exactOptional(),
  connectionString: text.exactOptional(),
  value: text.exactOptional(),
}).refine((values) => Object.keys(values).length > 0, 'holds no value');

export const stewardFile = section({
  command: command.default('/db'),
  slack: section({ workspaces: z.array(teamId).default([]) }).default({ workspaces: [] }),
  organizations: z.record(plainName, organization).default({}),
  services: z
    .record(
      plainName,
      section({ id: uuid, organization: text.exactOptional(), tags: z.array(tag).default([]) }),
    )
    .default({}),
  groups: z
    .record(
      plainName,
      section({
        users: z.array(userId).default([]),
        usergroups: z.array(usergroupId).default([]),
      }),
    )
    .default({}),
  credentials: z.record(plainName, credential).default({}),
  presets: z.record(plainName, z.record(text, z.unknown())).default({}),
  channels: z.record(channelName, channel).default({}),
  defaults: section({
    directMessages: access.default('deny'),
    externalPeople: access.default('deny'),
    guests: access.default('deny'),
  }).default({ directMessages: 'deny', externalPeople: 'deny', guests: 'deny' }),
  audit: section({
    channel: channelId.exactOptional(),
    watch: z.literal(false, NOT_YET).exactOptional(),
  }).default({}),
  schedules: z
    .record(text, z.unknown())
    .refine((schedules) => Object.keys(schedules).length === 0, NOT_YET)
    .exactOptional(),
  generatedPassword: z.enum(['show-once', 'discard']).default('show-once'),
  passwordFor: duration
    .refine((ms) => ms >= 5 * MINUTE_MS && ms <= 24 * HOUR_MS, 'must be from 5m to 24h')
    .default(4 * HOUR_MS),
  currency: section({ name: z.string().min(1).max(10), perUnit: positive }).exactOptional(),
  limits: section({
    perPersonPerMinute: z.int().min(1).max(10_000).default(30),
    perChannelPerMinute: z.int().min(1).max(10_000).default(120),
  }).default({ perPersonPerMinute: 30, perChannelPerMinute: 120 }),
});

export type StewardFile = z.output<typeof stewardFile>;
export type AllowRuleInFile = z.output<typeof allowRule>;
export type DenyRuleInFile = z.output<typeof denyRule>;

/** A map with these keys only. Each unknown key gets its own line of the message, in order. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .map(
              (key: string) =>
                `is no key that fits here${didYouMean(key, known) || `: ${known.join(', ')}`}`,
            )
            .join('\n')
        : undefined,
  });
}
