/** One instruction of a Dockerfile, its lines joined, without comments. */
export type ImageStep = { readonly name: string; readonly rest: string };

/** The instructions of a Dockerfile, in order. Throws Error at a line that is none. */
export function imageSteps(text: string): readonly ImageStep[] {
  return text
    .replaceAll(/^#.*\n/gmu, '')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^([A-Z]+) (.+)$/u.exec(line) ?? [];
      if (name === undefined || rest === undefined) throw new Error(`No instruction: ${line}`);
      return { name, rest };
    });
}
