import { AppError } from '../../core/cloud/errors.ts';
import { isUuid } from '../../core/text/typed-text.ts';

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

/** How a question is asked in a terminal. Each rejects with AppError `invalid` where people end it. */
export type Asker = {
  text(question: TextQuestion): Promise<string>;
  one(message: string, choices: readonly Choice[]): Promise<string>;
  several(message: string, choices: readonly Choice[], needed: boolean): Promise<readonly string[]>;
  agreed(message: string): Promise<boolean>;
};

export type TextQuestion = {
  readonly message: string;
  readonly secret?: boolean;
  readonly example?: string;
  /** What is wrong with an answer; undefined where it fits. */
  fault(answer: string): string | undefined;
};

/** Asks in the terminal. The library is loaded for this command alone. */
export async function createAsker(): Promise<Asker> {
  const clack = await import('@clack/prompts');
  const ended = (): never => {
    throw new AppError('invalid', { userMessage: 'Ended; steward.yaml was not touched.' });
  };
  return {
    text: async ({ message, secret, example, fault }) => {
      const validate = (value: string | undefined) => fault((value ?? '').trim());
      const answer =
        secret === true
          ? await clack.password({ message, validate })
          : await clack.text({ message, placeholder: example ?? '', validate });
      return clack.isCancel(answer) ? ended() : answer.trim();
    },
    one: async (message, choices) => {
      const answer = await clack.select({ message, options: [...choices] });
      return clack.isCancel(answer) ? ended() : answer;
    },
    several: async (message, choices, required) => {
      const options = [...choices];
      const answer = await clack.autocompleteMultiselect({ message, options, required });
      return clack.isCancel(answer) ? ended() : answer;
    },
    agreed: async (message) => {
      const answer = await clack.confirm({ message });
      return clack.isCancel(answer) ? ended() : answer;
    },
  };
}

export function uuidFault(answer: string): string | undefined {
  return isUuid(answer) ? undefined : 'an id is a UUID, as the cloud’s console shows it';
}

/** Slack's tokens are told apart by how they begin; the commonest mistake is the other one. */
export function tokenFault(wanted: 'xoxb-' | 'xapp-'): (answer: string) => string | undefined {
  return (answer) => {
    if (answer.startsWith(wanted) && /^[\x21-\x7e]{12,}$/u.test(answer)) return undefined;
    const found = /^(xox[a-z]|xapp)-/u.exec(answer)?.[1];
    const where =
      wanted === 'xoxb-'
        ? 'the bot token begins with xoxb-: OAuth & Permissions'
        : 'the app-level token begins with xapp-: Basic Information';
    return found === undefined || wanted.startsWith(found) ? where : `${where}; this is ${found}-…`;
  };
}

export function urlFault(answer: string): string | undefined {
  return /^https?:\/\/[^\s/@]+/u.test(answer) && URL.canParse(answer)
    ? undefined
    : 'an address as in https://api.example.com, without the version';
}

export function filledFault(answer: string): string | undefined {
  return answer === '' ? 'this is needed' : undefined;
}
