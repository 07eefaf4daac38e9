import { type AddressInfo, createServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { FAKE_CA, fakeLeaf } from '../../support/connect-proxy.ts';
import { silentLogger as logger } from '../../support/silent-logger.ts';

let server: Server;

/** A Postgres that gets as far as its certificate, which is for slack.test. */
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, ...fakeLeaf() }).on('error', () => undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

it.each([
  ['', /signed by a CA .* name that file in sslrootcert of DATABASE_URL/],
  [`&sslrootcert=${FAKE_CA}`, /certificate is for another host; check the address/],
])(
  'says what is wrong with a certificate of Postgres, and never to look away (%#)',
  async (more, said) => {
    const { port } = server.address() as AddressInfo;
    const url = `postgres://steward:fake-password@127.0.0.1:${port}/steward?sslmode=verify-full${more}`;
    const fault = await openDatabase(url, { logger }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ userMessage: expect.stringMatching(said) });
    expect(String(fault)).not.toMatch(/fake-password|no-verify|rejectUnauthorized|sslmode/);
  },
);
