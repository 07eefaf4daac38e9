import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * 32 bytes out of SECRET_KEY; without one, random bytes that end with the process, so that passwords
 * kept before a restart read as lost. Takes about 0.1 s: call it once. Design: §7.
 */
export function deriveKey(secretKey: string | undefined): Buffer {
  if (secretKey === undefined || secretKey === '') return randomBytes(32);
  // The salt only separates uses of one SECRET_KEY; strength has to come from the key itself.
  return scryptSync(secretKey, 'steward/one-time-secrets/1', 32);
}

/** AES-256-GCM under a fresh IV, bound to `context`; base64 of IV, tag and ciphertext. */
export function seal(key: Buffer, context: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Undefined where key, context or text are not those of the sealing. */
export function unseal(key: Buffer, context: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const plain = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  } catch {
    return undefined;
  }
}
