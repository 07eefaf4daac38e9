import type { z } from 'zod';
import type { Path } from './path.ts';
import type { Problem } from './problems.ts';
import { problemAt, type YamlText } from './yaml-text.ts';

/** Words for what does not fit the schema. No value is repeated: it may come from a variable. */
export function schemaMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'array') return 'must not be empty';
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list, as in [a, b]',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
};

/** One problem for each issue, and one for each unknown key. */
export function schemaProblems(
  issues: readonly z.core.$ZodIssue[],
  yaml: YamlText,
): readonly Problem[] {
  return issues.flatMap((issue): readonly Problem[] => {
    const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path, yaml);
    const message = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
    return [problemAt(yaml, path, message ?? 'does not fit')];
  });
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  path: Path,
  yaml: YamlText,
): readonly Problem[] {
  const messages = issue.message.split('\n');
  return issue.keys.map((key, index) =>
    problemAt(yaml, [...path, key], messages[index] ?? 'is no key that fits here'),
  );
}
