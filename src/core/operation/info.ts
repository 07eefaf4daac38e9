import type { Risk } from '../ports/decision.ts';
import type { Field } from './fields.ts';

/** What help, the menu and `can` may know of an operation. */
export type OperationInfo = {
  /** `noun.verb`; also the permission, the audit action and the form's callback id. */
  readonly id: `${string}.${string}`;
  readonly summary: string;
  /** Title of the form: at most 24 characters. */
  readonly title: string;
  readonly risk: Risk;
  readonly slash: {
    readonly words: readonly string[];
    readonly positional: readonly string[];
    /** Printed by help, run by the contract test. */
    readonly examples: readonly string[];
  };
  readonly badge?: 'Beta' | 'Experimental' | undefined;
  /** Open to every member: help, menu and `can`, which show only what the policy grants anyway. */
  readonly open?: boolean | undefined;
  /** Its permission on a service lets a person know of it, though no field asks for one. */
  readonly listsServices?: boolean | undefined;
  readonly fields: readonly Field[];
};
