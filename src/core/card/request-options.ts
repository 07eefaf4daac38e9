import { z } from 'zod';

/** What was said beside the input and survives every detour: a question, a form, a button. */
export const requestOptions = z.object({
  /** The reason given for going ahead without an approval. */
  breakGlass: z.string().max(3_000).optional(),
  /** Show the answer of a read to the whole channel. */
  share: z.boolean().optional(),
  /** Keys of what the asker was shown to be the same already, and wants all the same. */
  knowing: z.array(z.string().max(100)).max(100).optional(),
  /** Names of what the input means by id, for sentences about it. */
  names: z.record(z.string().max(100), z.string().max(300)).optional(),
  /** The input went through the operation's form. */
  formed: z.boolean().optional(),
  /** The thread in which it was asked, by its root's `ts`. */
  thread: z
    .string()
    .regex(/^\d{1,12}\.\d{1,9}$/u)
    .optional(),
});

export type RequestOptions = {
  readonly [K in keyof z.output<typeof requestOptions>]?: z.output<typeof requestOptions>[K];
};

/** The names of a plan's targets by their ids. */
export function namesOf(
  targets: readonly { readonly id: string; readonly name: string }[],
): NonNullable<RequestOptions['names']> {
  return Object.fromEntries(targets.map(({ id, name }) => [id, name]));
}

/** The input as sentences speak of it: what was chosen by id by its name. */
export function spokenInput(
  raw: Readonly<Record<string, unknown>>,
  names: RequestOptions['names'] = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      const isNamed = typeof value === 'string' && Object.hasOwn(names, value);
      return [key, isNamed ? names[value] : value];
    }),
  );
}
