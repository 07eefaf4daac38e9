import type { Question } from '../../core/ports/decision.ts';
import type { Settings } from '../../core/settings/settings.ts';

/**
 * Who somebody is to us. `member` is a full, present, human account of a configured workspace;
 * `unknown` is what Slack would not say, and counts for nothing. A `schedule` of the file is nobody: only rules
 * that name it allow it anything, and every denial that would meet it does.
 */
export type Standing = 'member' | 'schedule' | 'guest' | 'external' | 'bot' | 'deleted' | 'unknown';

/** The asker as the rules see them. Groups are names of `groups:`. */
export type ActorFacts = {
  readonly userId: string;
  readonly standing: Standing;
  readonly groups: ReadonlySet<string>;
  /** Groups of which Slack would not name the members: none allows, each denies. */
  readonly unknownGroups: ReadonlySet<string>;
};

/** Where it is asked. A shared channel is read by people of other organizations. */
export type PlaceFacts =
  | { readonly kind: 'channel'; readonly channelId: string; readonly shared: boolean | 'unknown' }
  | { readonly kind: 'direct' }
  | { readonly kind: 'home' };

/** All that a decision is made of. */
export type DecisionFacts = Readonly<{
  settings: Settings;
  actor: ActorFacts;
  place: PlaceFacts;
  question: Question;
}>;
