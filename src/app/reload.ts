import { type LoadOptions, loadConfiguration } from '../config/load.ts';
import { ConfigurationError, type Problem, problemCount } from '../config/problems.ts';
import type { ReplaceableSettings } from '../config/watch.ts';
import type { ChannelCard } from '../core/card/card.ts';
import { digestOf } from '../core/operation/operation.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Troubles } from '../core/ports/troubles.ts';
import { settingsChanges } from '../core/settings/changes.ts';
import type { Settings } from '../core/settings/settings.ts';
import { bold, code, say } from '../core/text/text.ts';
import { postTo } from '../slack/outbound/deliver.ts';
import type { SlackDeps } from '../slack/outbound/deps.ts';
import { endForbiddenRequests } from '../slack/outbound/requests.ts';
import type { Stores } from './stores.ts';

export type ReloadParts = {
  readonly settings: ReplaceableSettings;
  readonly stores: Pick<Stores, 'journal' | 'runs' | 'pending'>;
  readonly deps: SlackDeps;
  readonly source: LoadOptions;
  readonly troubles: Troubles;
};

/** Replicas that share a file see it change within this time, and one of them tells. */
const TOLD_ONCE_WITHIN_MS = 60_000;
const LINES = 12;

/**
 * Loads the changed file and puts it in force, or throws ConfigurationError and keeps the old rules.
 * Both are noted in the journal and told in the audit channel: in the old one too where the change
 * moves or removes it. Design: §4.
 */
export function createReloader(parts: ReloadParts): () => void {
  const { settings, deps, source, troubles } = parts;
  const refusedAs: string[] = [];
  const nth = createCounter(deps.clock);
  return () => {
    const before = settings.get();
    try {
      const after = loadConfiguration(source).settings;
      for (const words of refusedAs.splice(0)) troubles.clear('rules', words);
      settings.replace(after);
      const changes = settingsChanges(before, after);
      const channels = [before.audit.channel, after.audit.channel];
      void deps.track(
        tell(parts, {
          card: reloadedCard(changes),
          channels,
          note: { changes },
          nth: nth(changes),
        }),
      );
      void deps.track(endForbidden(parts));
    } catch (error) {
      if (error instanceof ConfigurationError) {
        const words = problemCount(error.problems.length);
        refusedAs.push(words);
        troubles.note('rules', words);
        const problems = error.problems.map(({ path }) => path);
        const card = refusedCard(error.problems);
        const note = { refused: problems };
        const channels = [before.audit.channel];
        void deps.track(tell(parts, { card, channels, note, nth: nth(problems) }));
      }
      throw error;
    }
  };
}

/** The same change again within the minute is another change: told as well, by one replica as well. */
function createCounter(clock: Clock): (change: readonly string[]) => number {
  const seen: { readonly key: string; readonly at: number }[] = [];
  return (change) => {
    const at = clock.now().toMillis();
    seen.splice(0, seen.findLastIndex((one) => one.at <= at - TOLD_ONCE_WITHIN_MS) + 1);
    const key = change.join('\n');
    seen.push({ key, at });
    return seen.filter((one) => one.key === key).length;
  };
}

async function endForbidden({ stores, deps }: ReloadParts): Promise<void> {
  try {
    await endForbiddenRequests({ stores, deps });
  } catch (cause) {
    deps.logger.error({ cause }, 'requests that no rule allows any more were not ended');
  }
}

type Telling = {
  readonly card: ChannelCard;
  readonly channels: readonly Settings['audit']['channel'][];
  readonly note: Readonly<Record<string, unknown>>;
  /** Which one of its kind within the time in which replicas see the same change. */
  readonly nth: number;
};

async function tell({ stores, deps }: ReloadParts, { card, channels, note, nth }: Telling) {
  try {
    await stores.journal.note(undefined, { event: 'settings', ...note });
    const key = `settings:${digestOf('settings', note)}:${nth}`;
    if (!(await stores.runs.shouldRun(key, TOLD_ONCE_WITHIN_MS))) return;
  } catch (cause) {
    deps.logger.error({ cause }, 'a change of the settings was not journaled');
  }
  for (const channelId of new Set(channels)) {
    if (channelId === undefined) continue;
    try {
      await postTo(channelId, card, deps);
    } catch (cause) {
      deps.logger.error({ channelId, cause }, 'a change of the settings was not announced');
    }
  }
}

function reloadedCard(changes: readonly string[]): ChannelCard {
  const lines = changes.slice(0, LINES).map((change) => say`• ${change}`);
  const more = changes.length > LINES ? [say`… and ${changes.length - LINES} more.`] : [];
  return {
    audience: 'channel',
    tone: 'plain',
    headline:
      changes.length === 0
        ? say`${bold('Settings reloaded')}: no rule changed.`
        : say`${bold('Settings reloaded')}: the changed ${code('steward.yaml')} is in force.`,
    lines: [...lines, ...more],
  };
}

/** Paths and what fits, as the configuration says them: values never stand in a problem. */
function refusedCard(problems: readonly Problem[]): ChannelCard {
  const count = problemCount(problems.length);
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`${bold('Settings refused')}: the changed ${code('steward.yaml')} has ${count}; the old rules stay in force.`,
    lines: problems.slice(0, 5).map(({ path, message }) => say`• ${code(path)}: ${message}`),
  };
}
