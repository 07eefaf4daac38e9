import type { ApprovalSettings } from '../settings/settings.ts';
import type { Text } from '../text/text.ts';

/** The permission that lets a person go ahead without the approval a rule asks for. */
export const BREAK_GLASS = 'approval.break-glass';

export type Risk = 'read' | 'change' | 'spend' | 'destroy';

/** What an operation acts on, resolved; `tags` of a service make `tag:prod` match. */
export type Target = {
  readonly kind: 'service' | 'organization' | 'dashboard' | 'activity' | 'invitation';
  readonly id: string;
  readonly name: string;
  readonly organization?: string | undefined;
  readonly tags: readonly string[];
};

/** Facts about what is asked that a rule may limit. */
export type Attributes = {
  readonly emailDomain?: string | undefined;
  readonly provider?: string | undefined;
  readonly region?: string | undefined;
  readonly replicas?: number | undefined;
  readonly memoryGb?: number | undefined;
};

/** What the rules allow of an attribute, in words, and what a form may start with. */
export type LimitHint = { readonly words: string; readonly start?: string | undefined };
export type LimitHints = { readonly [K in keyof Attributes]: LimitHint | undefined };

/**
 * Without `targets`: may this action be asked here at all? With them: on each of these?
 * A rule limited to services can answer the first with yes and the second with no. Design: §5.
 */
export type Question = {
  readonly action: string;
  readonly risk: Risk;
  readonly targets?: readonly Target[] | undefined;
  readonly attributes?: Attributes | undefined;
  /** Steward's own help, menu and `can`: open to every member, they reveal nothing beyond the rules. */
  readonly open?: boolean | undefined;
  /** Person and place are asked of Slack again, whatever is remembered: for a press. */
  readonly fresh?: boolean | undefined;
};

export type Decision =
  | {
      readonly allowed: true;
      /** The path of the rule that allows it: `channels.ops.allow[1]`. */
      readonly rule: string;
      readonly approval?: ApprovalSettings | undefined;
      /** A change has to say why it is asked for. */
      readonly reason?: 'required' | undefined;
    }
  | {
      readonly allowed: false;
      /** The rule that forbids it, where one does. */
      readonly rule?: string | undefined;
      /** One sentence: why, without a trailing way on. */
      readonly reason: Text;
      /** Where or by whom it is allowed, for those who may know. */
      readonly hint?: Text | undefined;
      /** What of the request is beyond a rule's limit: another value of it may be allowed. */
      readonly beyond?: keyof Attributes | undefined;
      /** Slack did not say what the rules ask for: refused, and yet not a no. */
      readonly unsure?: true | undefined;
    };

/** Which of those who approved a schedule's plan in the file may give this approval; `anyone` may be each of them. */
export function plannedBy(
  { by }: Pick<ApprovalSettings, 'by'>,
  approved: readonly string[],
): readonly string[] {
  const named = approved.filter((group) => by.includes(group));
  return named.length === 0 && by.includes('anyone') ? approved : named;
}

/** The policy speaks to the asker; the same about somebody else. */
export function inThirdPerson(reason: Text): Text {
  return reason.map((piece) =>
    typeof piece === 'string'
      ? piece.replace(/\byou are\b/u, 'they are').replace(/\byou\b/u, 'they')
      : piece,
  );
}
