import { DateTime, IANAZone } from 'luxon';
import type { Format } from '../shape.ts';

/** No exponent, no sign but minus, no digit grouping. */
const numberText = /^-?\d+(\.\d+)?$/;
const mailbox = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+$/;

/** Does the text look as the field wants it? */
export function matchesFormat(format: Format, text: string): boolean {
  switch (format) {
    case 'url':
      return isUrl(text);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid;
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
    case 'zone':
      return IANAZone.isValidZone(text);
    case 'number':
      return numberText.test(text);
    case 'color':
      return /^#[0-9a-fA-F]{6}$/.test(text);
  }
}

/** Absolute, with a scheme that opens in a browser or a mail program. */
export function isUrl(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false;
  return /^(https?:\/\/|mailto:|tel:|slack:\/\/)/i.test(text);
}

/** Close enough to what a person would call an address; the client is no stricter. */
export function isEmail(text: string): boolean {
  return mailbox.test(text);
}

/** An address that only this machine or its network could fetch, so that Slack could not. */
export function isLocalUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const host = new URL(text).hostname;
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.local') ||
    host === '[::1]' ||
    host === '0.0.0.0' ||
    /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\./.test(host)
  );
}
