import { z } from 'zod';
import { type Path, type Problem, problemLine } from '../config/problems.ts';
import { problemAt, readYaml } from '../config/yaml-text.ts';
import { didYouMean } from '../core/text/typed-text.ts';

const text = z.string().min(1);

const expectation = z.strictObject({
  who: text.describe(
    'A name from people or groups, a user id, schedule:NAME, anyone, guest or external.',
  ),
  in: text.describe('A channel: its name in steward.yaml, or its id.'),
  do: text.describe('A permission or a command: service.stop, stop.'),
  service: text.optional().describe('A service: its name in steward.yaml, or its id.'),
  with: z
    .strictObject({
      provider: text.optional(),
      region: text.optional(),
      replicas: z.int().min(1).optional(),
      memoryGb: z.number().gt(0).optional().describe('Memory of each replica, in GB.'),
      emailDomain: text.optional().describe('Of who is invited.'),
    })
    .optional()
    .describe('What a rule may limit. What is left out, no limit is asked about.'),
  is: z.enum(['allowed', 'refused', 'approval']).describe('approval: allowed with an approval.'),
  by: z.array(text).min(1).optional().describe('Who approves; only with is: approval.'),
  because: text.optional().describe('A part of the reason; only with is: refused.'),
});

const expectationsFile = z.strictObject({
  people: z.record(text, text).default({}).describe('Names for user ids: { ana: U01ANA }.'),
  groups: z
    .record(text, z.array(text).min(1))
    .default({})
    .describe('Who counts as a member of a group beside its users, as Slack is not asked.'),
  expect: z.array(expectation).min(1).describe('What steward.yaml has to say.'),
});

export type Expectation = z.output<typeof expectation>;
export type ExpectationsFile = z.output<typeof expectationsFile>;

export type ReadExpectations = {
  readonly file: ExpectationsFile;
  readonly problemAt: (path: Path, message: string) => Problem;
};

/** A test file of rules, or the lines of every problem of its shape. Docs: operating.md, Rules. */
export function readExpectations(
  source: string,
  name: string,
): ReadExpectations | { readonly problems: readonly string[] } {
  const { value: yaml, problems } = readYaml(source, name);
  if (yaml === undefined) return { problems: problems.map(problemLine) };
  const at = (path: Path, message: string): Problem => problemAt(yaml, path, message);
  if (yaml.value === null) return { problems: [`  ${name}: holds nothing`] };
  const parsed = expectationsFile.safeParse(yaml.value);
  if (!parsed.success) {
    return { problems: parsed.error.issues.flatMap((issue) => issueLines(issue, at)) };
  }
  const crossed = parsed.data.expect.flatMap((one, index) => misplaced(one, index));
  if (crossed.length > 0) {
    return { problems: crossed.map(({ path, message }) => problemLine(at(path, message))) };
  }
  return { file: parsed.data, problemAt: at };
}

function misplaced(
  { is, by, because }: Expectation,
  index: number,
): readonly { readonly path: Path; readonly message: string }[] {
  const found = [];
  if (by !== undefined && is !== 'approval') {
    found.push({ path: ['expect', index, 'by'], message: 'stands only with is: approval' });
  }
  if (because !== undefined && is !== 'refused') {
    found.push({ path: ['expect', index, 'because'], message: 'stands only with is: refused' });
  }
  return found;
}

function issueLines(issue: z.core.$ZodIssue, at: ReadExpectations['problemAt']): readonly string[] {
  const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path);
    return issue.keys.map((key) => {
      const hint = didYouMean(key, known) || `: ${known.join(', ')}`;
      return problemLine(at([...path, key], `is no key that fits here${hint}`));
    });
  }
  return [problemLine(at(path, issue.message))];
}

function knownKeys(path: Path): readonly string[] {
  if (path.length === 0) return Object.keys(expectationsFile.shape);
  if (path.length === 2) return Object.keys(expectation.shape);
  return Object.keys(expectation.shape.with.unwrap().shape);
}
