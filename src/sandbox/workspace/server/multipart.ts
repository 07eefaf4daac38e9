/**
 * The bytes of the first file in a multipart body, or `undefined` for a body of another type. The
 * real service's upload address takes both.
 */
export function multipartFile(contentType: string, body: Buffer): Buffer | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const start = body.indexOf('\r\n\r\n');
  const end = body.lastIndexOf(`\r\n--${boundary}--`);
  if (start === -1 || end < start + 4) return Buffer.alloc(0);
  const part = body.subarray(start + 4, end);
  const next = part.indexOf(`\r\n--${boundary}\r\n`);
  return next === -1 ? part : part.subarray(0, next);
}
