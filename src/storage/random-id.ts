import { randomBytes } from 'node:crypto';

/** 128 random bits, 22 characters, safe in URLs and in Slack's `private_metadata`. */
export function randomId(): string {
  return randomBytes(16).toString('base64url');
}
