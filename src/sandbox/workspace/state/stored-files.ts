import { extname } from 'node:path';
import type { World } from './world.ts';

const mimetypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};

/** The media type by the file's extension; unknown ones are plain bytes. */
export function mimetypeOf(name: string): string {
  return mimetypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
}

/** Where a file can be fetched. */
export function fileUrl(world: World, id: string): string {
  return `${world.baseUrl}/files/${id}`;
}

/**
 * Takes the bytes of an upload. Returns why they were refused: unknown address, used address, or a
 * byte count other than announced (some clients send the text `[object FormData]`).
 */
export function storeUpload(world: World, ticket: string, bytes: Buffer): string | undefined {
  const file = [...world.files.values()].find((other) => other.ticket === ticket);
  if (file === undefined) return 'unknown upload address';
  if (file.bytes !== null) return 'this upload address was used already';
  if (bytes.length !== file.length) {
    return `announced ${file.length} bytes, received ${bytes.length}`;
  }
  file.bytes = bytes;
  return undefined;
}
