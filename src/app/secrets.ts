import type { Configuration } from '../config/load.ts';
import { REDACTED } from '../core/pipeline/redact.ts';
import { databaseSecrets } from '../core/settings/database-url.ts';
import type { CurrentSettings, Settings } from '../core/settings/settings.ts';

/** Every secret value of the configuration, to be kept out of logs, messages and the journal. */
export function secretsOf({ environment }: Configuration, settings: Settings): readonly string[] {
  const { slackConnection: slack, organization, observability, secretKey } = environment;
  return [
    environment.slackBotToken,
    slack.mode === 'socket' ? slack.appToken : slack.signingSecret,
    organization?.keySecret,
    observability?.token,
    secretKey,
    ...proxySecrets([environment.proxy?.http, environment.proxy?.https]),
    ...settings.organizations.map(({ keySecret }) => keySecret),
    ...settings.credentials.flatMap(({ values }) => secretParts(values)),
    ...databaseSecrets(environment.databaseUrl),
  ]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= 6);
}

/** The passwords as they are typed, and as they are sent. */
function proxySecrets(addresses: readonly (string | undefined)[]): readonly string[] {
  return addresses.flatMap((address) => {
    if (address === undefined) return [];
    const { username, password } = new URL(address);
    const sent = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return [password, decodeURIComponent(password), Buffer.from(sent).toString('base64')];
  });
}

/** Those of the settings now in force: gathered once for each of them, and asked for at every text. */
export function secretsNow(
  configuration: Configuration,
  settings: CurrentSettings,
): () => readonly string[] {
  let of: Settings | undefined;
  let secrets: readonly string[] = [];
  return () => {
    const now = settings.get();
    if (now !== of) secrets = secretsOf(configuration, now);
    of = now;
    return secrets;
  };
}

/** A user name or key id is no secret and may be an ordinary word. */
function secretParts(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values)
    .filter(([key]) => key !== 'username' && key !== 'accessKeyId')
    .map(([, value]) => value);
}

/** Replaces exactly these values, in text and in JSON text. */
export function scrubberOf(secrets: () => readonly string[]): (text: string) => string {
  let of: readonly string[] | undefined;
  let spellings: readonly string[] = [];
  return (text) => {
    const now = secrets();
    if (now !== of) spellings = now.flatMap(spellingsOf);
    of = now;
    return spellings.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
  };
}

function spellingsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return inJson === secret ? [secret] : [secret, inJson];
}
