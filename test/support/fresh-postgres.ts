import { randomUUID } from 'node:crypto';
import pg from 'pg';

export type FreshPostgres = { readonly url: string; remove(): Promise<void> };

/** An empty database of its own on a server (a URL), which `remove` drops. */
export async function freshPostgres(server: string, prefix: string): Promise<FreshPostgres> {
  const name = `${prefix}_${randomUUID().replaceAll('-', '')}`;
  await run(server, `create database ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  return { url: address.href, remove: () => run(server, `drop database ${name} with (force)`) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
