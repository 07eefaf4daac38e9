import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A number in [0, 1) that depends on the text alone, so that costs come out the same on every read. */
export function fractionOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/** A UUID v4 for a new object or a request id. */
export function newUuid(): string {
  return randomUUID();
}

/** An id of 24 hexadecimal digits, as activities and dashboards carry. */
export function newHexId(): string {
  return randomBytes(12).toString('hex');
}

/** A password that is plainly fake, yet different each time, so that a test can look for leaks of it. */
export function newPassword(): string {
  return `fake-password-${randomBytes(9).toString('base64url')}`;
}
