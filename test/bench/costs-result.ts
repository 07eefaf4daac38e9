/** The last day of the month that is summarised. */
export const DAY = '2026-11-26';

/** What the child prints. */
export type CostResult = {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMb: number;
  readonly calls: number;
  readonly units: number;
};
