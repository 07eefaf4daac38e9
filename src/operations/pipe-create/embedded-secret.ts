import { keyValueSecrets } from '../../core/text/key-value-secrets.ts';

const SHAPES: readonly RegExp[] = [
  // A password in an address; digits up to a slash are a port and its path.
  /[a-z][a-z\d+.-]*:\/\/[^\s/@:]*:(?!\d+\/)[^\s@]*@/iu,
  // A token alone; the container of an `abfss` address stands there too, and is none.
  /^https?:\/\/[^\s/@]+@/iu,
  // The same without a scheme, as in lists of brokers.
  /(?:^|[\s,;])[^\s,;:/@]+:[^\s,;/@]+@[\w.-]/u,
  /[?&#][\w.-]*(?:sig|signature|token|password|passwd|secret|credential|accesskeyid)=/iu,
  /\b(?:account|access|shared\s?access|secret)_?(?:key|signature)\s*=/iu,
  /\b(?:password|pwd|secret)\s*=/iu,
  /-----BEGIN [A-Z ]*PRIVATE KEY/u,
];

/** Beside a field: what to do with a secret that was typed into it. */
export const SECRET_WORDS =
  'Holds a secret. Name it under credentials: in steward.yaml and choose that name.';

/** Whether a text carries what only credentials may: Slack keeps what is typed. Design: §7. */
export function holdsSecret(text: string): boolean {
  return SHAPES.some((shape) => shape.test(text)) || keyValueSecrets(text, [], 1).length > 0;
}
