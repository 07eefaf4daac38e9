import { useEffect, useRef, useState } from 'preact/hooks';
import type { ElementPlace } from '../client.ts';
import { useWorkspace } from '../workspace.ts';
import { type Choice, choicesOf } from './options.ts';

export type Suggestions = {
  readonly choices: readonly Choice[];
  readonly status: 'idle' | 'asking' | 'ready' | 'failed';
  readonly problem: string;
};

const IDLE: Suggestions = { choices: [], status: 'idle', problem: '' };
const REST_MS = 200;

/**
 * Asks the bot for options once the typing rests; an answer that a newer question overtook is dropped.
 * @param text what was typed, or null while nobody asks
 */
export function useSuggestions(place: ElementPlace, text: string | null): Suggestions {
  const { client } = useWorkspace();
  const [found, setFound] = useState<Suggestions>(IDLE);
  const latest = useRef(0);
  const address = JSON.stringify(place);
  // By its words: each render makes a new place object.
  useEffect(() => {
    latest.current += 1;
    if (text === null) {
      setFound(IDLE);
      return;
    }
    const question = latest.current;
    setFound((before) => ({ ...before, status: 'asking' }));
    const timer = setTimeout(async () => {
      const answer = await client.act({ kind: 'suggest', ...place, value: text });
      if (question !== latest.current) return;
      const choices = choicesOf({ options: answer.options, option_groups: answer.optionGroups });
      if (answer.ok) setFound({ choices, status: 'ready', problem: '' });
      else
        setFound({
          choices: [],
          status: 'failed',
          problem: answer.error ?? 'The bot gave no options.',
        });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [address, text, client]);
  return found;
}
