import type {
  ChannelSettings,
  CredentialSettings,
  DigestSettings,
  OrganizationSettings,
  Rule,
  ScheduleSettings,
  ServiceSettings,
  Settings,
} from '../core/settings/settings.ts';
import type { Environment } from './environment.ts';
import type { AllowRuleInFile, DenyRuleInFile, StewardFile } from './file-schema.ts';
import { formatPath } from './problems.ts';
import type { ScheduleInFile } from './schedule-schema.ts';

export type FileChannel = StewardFile['channels'][string];

/** The organization of ORGANIZATION_ID, named `default`, then those of the file. */
export function toOrganizations(
  file: StewardFile,
  organization: Environment['organization'],
): readonly OrganizationSettings[] {
  const fromFile = Object.entries(file.organizations).map(([key, value]) => ({ key, ...value }));
  if (organization === undefined) return fromFile;
  const id = organization.id.toLowerCase();
  return [
    { ...organization, key: 'default', names: organization.names ?? 'neutral', id },
    ...fromFile,
  ];
}

/** A checked file as the settings that the rest of Steward lives by. */
export function toSettings(
  file: StewardFile,
  organizations: readonly OrganizationSettings[],
): Settings {
  const onlyOrganization = organizations[0]?.key ?? '';
  const services = Object.entries(file.services).map(
    ([name, service]): ServiceSettings => ({
      name,
      id: service.id,
      organization: service.organization ?? onlyOrganization,
      tags: service.tags,
    }),
  );
  return {
    command: file.command,
    workspaces: file.slack.workspaces,
    organizations,
    services,
    groups: file.groups,
    credentials: Object.entries(file.credentials).map(
      ([name, values]): CredentialSettings => ({
        name,
        values: Object.fromEntries(Object.entries(values)),
      }),
    ),
    presets: file.presets,
    channels: Object.entries(file.channels).map(([name, channel]) =>
      toChannel(name, channel, file),
    ),
    defaults: file.defaults,
    audit: { channel: file.audit.channel, watch: file.audit.watch },
    schedules: Object.entries(file.schedules).map(([name, one]) => toSchedule(name, one, file)),
    generatedPassword: file.generatedPassword,
    passwordForMs: file.passwordFor,
    limits: file.limits,
    currency: file.currency,
  };
}

function toSchedule(name: string, given: ScheduleInFile, file: StewardFile): ScheduleSettings {
  const { snooze, notice, approved, channel, ...rest } = given;
  return {
    ...{ ...rest, name, noticeMs: notice, approved: approved ?? [] },
    channelId: file.channels[channel]?.id ?? '',
    snooze: snooze && { by: snooze.by, mostMs: snooze.most, times: snooze.times },
  };
}

function toChannel(name: string, channel: FileChannel, file: StewardFile): ChannelSettings {
  const digest: DigestSettings | undefined = channel.digest;
  return {
    name,
    id: channel.id,
    rules: [
      ...channel.allow.map((rule, index) => toAllowRule(rule, ruleAt(name, 'allow', index))),
      ...channel.deny.map((rule, index) => toRule(rule, 'deny', ruleAt(name, 'deny', index))),
    ],
    digest,
    externalPeople: channel.externalPeople ?? file.defaults.externalPeople,
    guests: channel.guests ?? file.defaults.guests,
  };
}

function ruleAt(channel: string, effect: Rule['effect'], index: number): string {
  return formatPath(['channels', channel, effect, index]);
}

function toRule(rule: DenyRuleInFile, effect: Rule['effect'], path: string): Rule {
  return {
    effect,
    actions: rule.actions,
    services: rule.services,
    who: rule.who,
    path,
  };
}

function toAllowRule(rule: AllowRuleInFile, path: string): Rule {
  const { approval, reason, emailDomains, limits } = rule;
  return {
    ...toRule(rule, 'allow', path),
    approval: approval && { by: approval.by, withinMs: approval.within },
    reason,
    emailDomains,
    limits,
  };
}
