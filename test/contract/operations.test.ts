import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { flagOf } from '../../src/core/operation/fields.ts';
import type { Operation } from '../../src/core/operation/operation.ts';
import { createRegistry } from '../../src/core/operation/registry.ts';
import { readSlash } from '../../src/core/slash/slash.ts';
import { operations } from '../../src/operations/index.ts';
import { validateView } from '../../src/sandbox/workspace/validator/view.ts';
import { formOf } from '../support/run-operation.ts';

const FOLDER = fileURLToPath(new URL('../../src/operations/', import.meta.url));

/** Ids are permissions, audit actions and callback ids: renaming one breaks rules that people wrote. */
const PINNED: readonly string[] = [
  'activity.read',
  'approval.read',
  'cost.read',
  'dashboard.delete',
  'digest.mute',
  'digest.read',
  'digest.send',
  'digest.start',
  'digest.stop',
  'directory.read',
  'help.read',
  'invitation.create',
  'invitation.read',
  'journal.read',
  'menu.read',
  'permission.read',
  'pipe.create',
  'query-endpoint.read',
  'schedule.pause',
  'schedule.read',
  'schedule.resume',
  'schedule.snooze',
  'service.create',
  'service.sleep',
  'service.start',
  'service.stop',
  'service.wake',
  'status.read',
];

/** Words that the command line keeps for itself. */
const RESERVED = ['share', 'help', 'break-glass'];

function foldersOf(): readonly string[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The operations that a folder exports from the file of the same name. */
async function exportedBy(folder: string): Promise<readonly Operation[]> {
  const module: Record<string, unknown> = await import(`${FOLDER}${folder}/${folder}.ts`);
  return Object.values(module).filter(
    (value): value is Operation => typeof value === 'object' && value !== null && 'slash' in value,
  );
}

describe('the list of operations', () => {
  it('has what each folder exports, and no more', async () => {
    const exported = await Promise.all(foldersOf().map(exportedBy));
    expect(exported.filter((found) => found.length === 0)).toEqual([]);
    expect(new Set(exported.flat())).toEqual(new Set(operations));
  });

  it('has ids that follow their folders: one by its name, several by their noun', async () => {
    for (const folder of foldersOf()) {
      const ids = (await exportedBy(folder)).map(({ id }) => id);
      if (ids.length === 1) expect(ids[0]?.replace('.', '-')).toBe(folder);
      for (const id of ids) expect(folder).toMatch(new RegExp(`^${id.split('.')[0] ?? ''}-`, 'u'));
    }
  });

  it('has the ids that rules, journals and messages in the wild speak of', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(PINNED);
  });

  it('has unique ids, words and summaries', () => {
    expect(() => createRegistry(operations)).not.toThrow();
    const summaries = operations.map(({ summary }) => summary);
    expect(new Set(summaries).size).toBe(operations.length);
  });

  it('has no words that begin with all words of another, positions aside', () => {
    for (const operation of operations) {
      const text = operation.slash.words.join(' ').trim();
      const read = readSlash(text, operations);
      expect(read.kind === 'operation' && read.operation.id).toBe(operation.id);
    }
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    it('is labelled within the limits of Slack', () => {
      expect(operation.title.length).toBeLessThanOrEqual(24);
      expect(operation.summary.length).toBeLessThanOrEqual(75);
      expect(operation.id).toMatch(/^[a-z]+(?:-[a-z]+)*\.[a-z]+$/u);
      for (const field of operation.fields) {
        expect(field.label).toMatch(/\S/u);
        expect(field.label.length).toBeLessThanOrEqual(2_000);
        expect(field.hint ?? '').toSatisfy((hint: string) => hint.length <= 2_000);
        expect(field.placeholder ?? '').toSatisfy((text: string) => text.length <= 150);
        const choices = [
          ...(field.choices ?? []),
          ...Object.values(field.choicesBy?.choices ?? {}).flat(),
        ];
        for (const { label, value } of choices) {
          expect(label.length).toBeLessThanOrEqual(75);
          expect(value.length).toBeLessThanOrEqual(75);
        }
      }
    });

    it('has fields whose flags and labels are their own', () => {
      const flags = operation.fields.map(({ key }) => flagOf(key));
      expect(new Set([...flags, ...RESERVED]).size).toBe(flags.length + RESERVED.length);
      const labels = operation.fields.map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    });

    it('has positions, drivers and conditions that are fields', () => {
      const keys = operation.fields.map(({ key }) => key);
      const named = operation.fields.flatMap(({ when, choicesBy }) => [
        ...(when === undefined ? [] : [when.field]),
        ...(choicesBy === undefined ? [] : [choicesBy.field]),
      ]);
      expect(keys).toEqual(expect.arrayContaining([...operation.slash.positional, ...named]));
    });

    it.each(operation.slash.examples)('reads its example %j', (example) => {
      const { operation: read, raw, issues } = readingOf(example);
      expect(read.id).toBe(operation.id);
      expect(issues).toEqual([]);
      expect(wordsFor(operation, raw)).toEqual([]);
    });

    it('opens a form that Slack takes, empty and from its examples', () => {
      if (operation.fields.length === 0) return;
      const raws = operation.slash.examples.map((example) => readingOf(example).raw);
      for (const raw of [{}, ...raws]) {
        const view = formOf(operation, raw, {
          credentials: ['kafka-prod'],
          organizations: ['acme', 'globex'],
        });
        expect(validateView(view, 'modal')).toMatchObject({ ok: true });
      }
    });
  },
);

function readingOf(example: string) {
  const reading = readSlash(example, operations);
  if (reading.kind !== 'operation') throw new TypeError(`Nobody understands ${example}.`);
  return reading;
}

/**
 * What is wrong with an example. Fields that are left for the form have no words, or, where all
 * fields are optional for zod, are those that were not typed.
 */
function wordsFor(
  operation: Operation,
  raw: Readonly<Record<string, unknown>>,
): readonly { readonly field: string; readonly message: string }[] {
  const prepared = operation.prepare(raw);
  const issues = 'issues' in prepared ? prepared.issues : [];
  return issues.filter(({ field, message }) => message !== '' && raw[field] !== undefined);
}
