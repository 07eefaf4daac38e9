import type { Rule, Settings } from '../../core/settings/settings.ts';
import { ruleCovers } from './compile.ts';

/** One line of `steward policy check`. All are words for a terminal. */
export type PermissionRow = {
  readonly channel: string;
  readonly effect: Rule['effect'];
  readonly action: string;
  readonly who: string;
  readonly services: string;
  /** `leads within 30m`, or empty. */
  readonly approval: string;
  /** Domains and limits, or empty. */
  readonly limits: string;
  readonly rule: string;
};

/**
 * Who may do what where, one row for each rule and operation it covers, by channel, action and
 * rule. Globs are written out, so that a reviewer sees what they give away.
 */
export function permissionTable(
  settings: Settings,
  operations: readonly string[],
): readonly PermissionRow[] {
  const actions = [...new Set(operations)].sort();
  return settings.channels.flatMap((channel) =>
    actions.flatMap((action) =>
      channel.rules
        .filter((rule) => ruleCovers(rule, action))
        .map((rule) => row(channel.name, action, rule)),
    ),
  );
}

function row(channel: string, action: string, rule: Rule): PermissionRow {
  const { approval, limits } = rule;
  return {
    channel,
    effect: rule.effect,
    action,
    who: rule.who.join(', '),
    services: rule.services?.join(', ') ?? '*',
    approval:
      approval === undefined
        ? ''
        : `${approval.by.join(' or ')} within ${durationWords(approval.withinMs)}`,
    limits: [
      rule.emailDomains?.join(' or '),
      limits?.providers?.join(' or '),
      limits?.regions?.join(' or '),
      limits?.maxReplicas === undefined ? undefined : `≤ ${limits.maxReplicas} replicas`,
      limits?.maxMemoryGb === undefined ? undefined : `≤ ${limits.maxMemoryGb} GB`,
    ]
      .filter((part) => part !== undefined)
      .join('; '),
    rule: rule.path,
  };
}

function durationWords(milliseconds: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
  ] as const;
  const unit = units.find(([, size]) => milliseconds % size === 0);
  return unit === undefined ? `${milliseconds / 1_000}s` : `${milliseconds / unit[1]}${unit[0]}`;
}
