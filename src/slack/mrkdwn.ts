import { DateTime } from 'luxon';
import { type Piece, plain, type Text } from '../core/text.ts';

/**
 * Pieces as Slack's mrkdwn, everything from outside escaped: a service named `<!channel>` stays a
 * name. Times show in the reader's zone, with UTC in the fallback. Slack: formatting text.
 */
export function toMrkdwn(text: Text): string {
  return text.map(piece).join('');
}

/** For plain_text and notifications: no markup, times in UTC. */
export function toPlain(text: Text): string {
  return plain(
    text.map((part) =>
      typeof part === 'object' && 'time' in part ? utc(part.time, part.style ?? 'date-time') : part,
    ),
  );
}

export function escapeMrkdwn(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');
}

/** Cut to so many code points, with an ellipsis in place of what is gone. */
export function cut(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}

function piece(part: Piece): string {
  if (typeof part === 'string') return escapeMrkdwn(part);
  if ('bold' in part) return wrapped('*', part.bold);
  if ('code' in part) return wrapped('`', part.code.replaceAll('`', 'ˋ'));
  if ('user' in part) return `<@${part.user}>`;
  if ('channel' in part) return `<#${part.channel}>`;
  if ('time' in part) return dateToken(part.time, part.style ?? 'date-time');
  return `<${encodeURI(part.link)}|${escapeMrkdwn(part.label).replaceAll('|', '¦')}>`;
}

function wrapped(mark: string, text: string): string {
  const clean = escapeMrkdwn(text.replace(/\s+/gu, ' ').trim()).replaceAll(
    mark,
    mark === '*' ? '∗' : '',
  );
  return clean === '' ? '' : `${mark}${clean}${mark}`;
}

const FORMATS = {
  time: '{time}',
  date: '{date_short_pretty}',
  'date-time': '{date_short_pretty} {time}',
} as const;

function dateToken(iso: string, style: keyof typeof FORMATS): string {
  const moment = DateTime.fromISO(iso, { zone: 'utc' });
  if (!moment.isValid) return escapeMrkdwn(iso);
  return `<!date^${Math.floor(moment.toSeconds())}^${FORMATS[style]}|${utc(iso, style)}>`;
}

function utc(iso: string, style: keyof typeof FORMATS): string {
  const moment = DateTime.fromISO(iso, { zone: 'utc' });
  if (!moment.isValid) return iso;
  const pattern = {
    time: "HH:mm 'UTC'",
    date: 'd LLL yyyy',
    'date-time': "d LLL yyyy, HH:mm 'UTC'",
  };
  return moment.toFormat(pattern[style]);
}
