import { channel, code, say, type Text } from '../text/text.ts';

/**
 * What is wrong around Steward, as the answers to its own calls say it; nothing is asked for it.
 * Subjects: a scope; nothing for the token, the clock and the rules' file; a channel's id; a method.
 */
export const TROUBLE_KINDS = [
  'scope',
  'token',
  'not-in-channel',
  'archived',
  'clock',
  'rate-limit',
  'rules',
  'rules-differ',
] as const;
export type TroubleKind = (typeof TROUBLE_KINDS)[number];

export type Trouble = Readonly<{
  kind: TroubleKind;
  subject: string;
  /** ISO 8601, UTC: first and last sign of it. */
  since: string;
  seen: string;
}>;

/** Of this process. A trouble lasts until an answer shows that it is over. */
export type Troubles = {
  note(kind: TroubleKind, subject: string): void;
  clear(kind: TroubleKind, subject: string): void;
  all(): readonly Trouble[];
};

/** What is wrong, and the way on. */
export function troubleText({ kind, subject }: Pick<Trouble, 'kind' | 'subject'>): Text {
  switch (kind) {
    case 'scope':
      return say`Slack wants the scope ${code(subject)}: add it to the app and install it again`;
    case 'token':
      return say`Slack takes the bot token no more: install the app again and give Steward the new one`;
    case 'not-in-channel':
      return say`Steward is not in ${channel(subject)}: type ${code('/invite @Steward')} there`;
    case 'archived':
      return say`${channel(subject)} is archived: bring it back, or take it out of ${code('steward.yaml')}`;
    case 'clock':
      return say`the clock of this host is ${subject} Slack's: set it by NTP`;
    case 'rate-limit':
      return say`Slack asks to slow down with ${code(subject)}`;
    case 'rules-differ':
      return say`another replica runs other rules: give all of them the same ${code('steward.yaml')}`;
    case 'rules':
      return say`the changed ${code('steward.yaml')} is refused (${subject}), and the old rules stay: ${code('steward policy check')} lists what to fix`;
  }
}
