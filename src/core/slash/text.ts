import type { Issue } from '../operation/outcome.ts';
import { cleanTyped } from '../text/typed-text.ts';

/** A long dash, until it is known whether it begins an option: a noncharacter that nobody types. */
export const LONG_DASH = '\ufdd0';
const LONG_DASHES = /[\u2012-\u2015\u2e3a\u2e3b\ufe31\ufe32\ufe58]/gu;

const LINK = /<(mailto:|tel:|https?:\/\/)([^|>]*)(?:\|([^>]*))?>/gu;

/**
 * A command's text as it was typed: clean, Slack's escapes and automatic links undone. A link that
 * shows something else than its target stays as Slack wrote it; long dashes become `LONG_DASH`.
 */
export function plainText(text: string): string {
  return cleanTyped(text.replaceAll(LONG_DASH, '').replace(LONG_DASHES, LONG_DASH))
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&amp;/gu, '&')
    .replace(LINK, (link, scheme: string, target: string, label: string | undefined) => {
      if (label === undefined || label === '') return scheme[0] === 'h' ? scheme + target : target;
      return isSame(scheme, target, label) ? label : link;
    })
    .replace(/<([@#][A-Z0-9]+)\|[^>]*>/gu, '<$1>')
    .trim();
}

/** Text of `plainText` as Slack would send it, so that it reads the same again. */
export function escapedText(text: string): string {
  return text.replace(/&(?=(?:amp|lt|gt);)/gu, '&amp;').replaceAll(LONG_DASH, '—');
}

/** The links that `plainText` left, taken out and told: neither side of them is what was meant. */
export function withoutLinks(text: string): {
  readonly text: string;
  readonly issues: readonly Issue[];
} {
  const issues = [...text.matchAll(LINK)].map(([, scheme, target, label]) => ({
    field: '',
    message: `A link that shows ${label ?? ''} leads to ${scheme ?? ''}${target ?? ''}: type plainly which of the two you mean.`,
  }));
  return { text: text.replace(LINK, ' ').trim(), issues };
}

/** Whether a label says where its link leads, but for what Slack itself adds to it. */
function isSame(scheme: string, target: string, label: string): boolean {
  if (scheme === 'tel:') return target.replace(/[^+\d]/gu, '') === label.replace(/[^+\d]/gu, '');
  const typed = /^(?:mailto:|https?:\/\/)/iu.exec(label)?.[0] ?? '';
  if (typed !== '' && typed.toLowerCase() !== scheme) return false;
  const normal = scheme === 'mailto:' ? normalMail : normalAddress;
  return normal(target) === normal(label.slice(typed.length));
}

function normalMail(text: string): string {
  return text.replace(/@[^@]*$/u, (domain) => domain.toLowerCase());
}

function normalAddress(text: string): string {
  return text.replace(/^[^/?#]*/u, (host) => host.toLowerCase()).replace(/\/$/u, '');
}
