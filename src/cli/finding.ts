/** One line of `steward doctor`. */
export type Finding = {
  readonly ok: boolean;
  /** What was looked at, and what was seen. */
  readonly what: string;
  /** What to do about it; a finding that is not ok has one. */
  readonly todo?: string | undefined;
};

export function fine(what: string): Finding {
  return { ok: true, what };
}

export function problem(what: string, todo: string): Finding {
  return { ok: false, what, todo };
}

/** Apart from these the clock of this computer and another one are taken as equal, in ms. */
const SKEW_MS = 60_000;

/**
 * This computer's clock against an HTTP `Date` header, which has whole seconds. Slack refuses to be
 * trusted beyond 5 minutes, and approvals are told in minutes.
 */
export function skewFinding(here: number, there: number, whose: string): Finding {
  const seconds = Math.round((here - there) / 1_000);
  if (Math.abs(here - there) <= SKEW_MS) return fine(`clock: agrees with ${whose} (${seconds} s)`);
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return problem(
    `clock: ${Math.abs(seconds)} s ${way} ${whose}`,
    'set this computer’s clock by NTP: signatures and approvals depend on it',
  );
}
