import { Refusal } from '../refusal.ts';
import type { ApiKey, BearerToken } from '../state/model.ts';

/** The key of a Basic header. Throws a 401 `Refusal` that does not say which half was wrong. */
export function authenticateBasic(header: string | undefined, keys: readonly ApiKey[]): ApiKey {
  if (header === undefined) throw new Refusal('UNAUTHORIZED', 'an API key is required');
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) throw new Refusal('UNAUTHORIZED', 'Basic authentication is required');
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const key = keys.find((known) => known.id === id && known.secret === secret.join(':'));
  if (key === undefined) throw new Refusal('UNAUTHORIZED', 'the API key is not valid');
  return key;
}

/** The token of a Bearer header, or undefined when it is missing or unknown. Spec: Authentication */
export function authenticateBearer(
  header: string | undefined,
  tokens: readonly BearerToken[],
): BearerToken | undefined {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
  return tokens.find((known) => known.token === given);
}
