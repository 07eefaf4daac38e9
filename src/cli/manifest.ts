import { isIP } from 'node:net';
import { command as commandShape } from '../config/shapes.ts';
import { operations } from '../operations/index.ts';
import { EVENTS_PATH } from '../slack/inbound/intake/transport-guards.ts';
import { createManifest } from '../slack/manifest.ts';

export type ManifestFlags = {
  readonly json?: boolean | undefined;
  readonly command: string;
  readonly url?: string | undefined;
  readonly mentions?: boolean | undefined;
};

/**
 * The app manifest; else what Slack would refuse of the flags, in one sentence, where
 * Slack itself refuses the whole manifest and says less.
 */
export function manifestFor(
  flags: ManifestFlags,
): { readonly manifest: object } | { readonly problem: string } {
  const { command, url, mentions } = flags;
  const named = commandShape.safeParse(command);
  if (!named.success) return { problem: `--command ${named.error.issues[0]?.message ?? ''}.` };
  const fault = url === undefined ? undefined : urlFault(url);
  if (fault !== undefined) return { problem: `--url ${fault}.` };
  const manifest = createManifest({
    command,
    operations,
    mode: url === undefined ? 'socket' : 'http',
    url: url?.replace(/\/+$/u, '').replace(new RegExp(`${EVENTS_PATH}$`, 'u'), ''),
    mentions,
  });
  return { manifest };
}

const EXAMPLE = 'as in https://steward.example.com';

function urlFault(typed: string): string | undefined {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined) return `must be an address, ${EXAMPLE}`;
  if (url.protocol !== 'https:') return `must begin with https://, ${EXAMPLE}`;
  if (url.username !== '' || url.password !== '') return 'must hold no user name and no password';
  if (url.search !== '' || url.hash !== '') return `must end before ? and #, ${EXAMPLE}`;
  return isPublic(url.hostname)
    ? undefined
    : `must be reached from the internet: ${url.hostname} is of this computer or network`;
}

/** Names and addresses that mean something only here (RFC 1918, 3927, 4193, 6761). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)\.?$/iu;
const LOCAL_ADDRESS =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^\[(?:::1?\]|f[cd]|fe[89ab])/iu;

function isPublic(host: string): boolean {
  if (LOCAL_NAME.test(host) || LOCAL_ADDRESS.test(host)) return false;
  return host.startsWith('[') || isIP(host) === 4 || host.includes('.');
}
