/** Steps into `steward.yaml`: keys and positions. */
export type Path = readonly (string | number)[];

/** `channels.ops.allow[1].who[0]`; a key that is no plain word stands in quotes. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]+$/u.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
