const UNKNOWN_CA = 'is signed by a CA that this computer does not know';

const UNTRUSTED: Readonly<Record<string, string>> = {
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself',
};
const UNFIT: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired; whoever runs the server has to renew it',
  CERT_NOT_YET_VALID: 'is not valid yet; check the clock of this computer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host; check the address',
};
const REFUSED_BY_PROXY = /^Proxy response \((\d{3})\) !== 200/u;
const VARIABLES = 'HTTPS_PROXY or HTTP_PROXY';

/** A fault on the way to the proxy, whatever it is: nothing got as far as the far side. */
export class ProxyUnreachable extends Error {
  override readonly name = 'ProxyUnreachable';

  constructor(cause: unknown) {
    super('The proxy could not be reached.', { cause });
  }
}

export type NetworkFault = {
  /** In words and with the way on; no host and no credential stands in it. */
  readonly why: string;
  /** Until somebody mends it: trying again does not help. */
  readonly lasts: boolean;
};

/**
 * Why a connection was not made, where a proxy or a certificate is the reason; nothing was sent to
 * the far side then. Docs: operating.md, Behind a proxy.
 */
export function networkFault(thrown: unknown): NetworkFault | undefined {
  const errors = chain(thrown);
  const certificate = certificateFault(thrown, 'NODE_EXTRA_CA_CERTS');
  if (errors.some((error) => error instanceof ProxyUnreachable)) {
    return certificate === undefined
      ? { why: `the proxy could not be reached${codeIn(errors)}: check ${VARIABLES}`, lasts: false }
      : { why: `the proxy could not be reached: ${certificate}`, lasts: true };
  }
  const refusal = errors.flatMap(({ message }) => REFUSED_BY_PROXY.exec(message)?.[1] ?? [])[0];
  if (refusal !== undefined) return refusalFault(refusal);
  return certificate === undefined ? undefined : { why: certificate, lasts: true };
}

/** What is wrong with a certificate; `setting` is where the file with a private CA is named. */
export function certificateFault(thrown: unknown, setting: string): string | undefined {
  for (const code of chain(thrown).map(codeOf)) {
    const untrusted = UNTRUSTED[code];
    if (untrusted !== undefined) {
      return `the certificate ${untrusted} (${code}): put its CA into a PEM file and name that file in ${setting}`;
    }
    const unfit = UNFIT[code];
    if (unfit !== undefined) return `the certificate ${unfit} (${code})`;
  }
  return undefined;
}

function refusalFault(status: string): NetworkFault {
  switch (status) {
    case '407':
      return {
        why: `the proxy wants a user name and password, or refuses those that it got (407): check them in ${VARIABLES}`,
        lasts: true,
      };
    case '403':
      return {
        why: 'the proxy does not allow this host (403): have it allowed there',
        lasts: true,
      };
    default:
      return {
        why: `the proxy answers, but does not reach the host (${status}): check the address, or ask who runs the proxy`,
        lasts: false,
      };
  }
}

/** The error and all that it wraps: fetch and Slack's client hide what the socket said. */
function chain(thrown: unknown): readonly Error[] {
  if (!(thrown instanceof Error)) return [];
  const original = 'original' in thrown ? thrown.original : undefined;
  const several = thrown instanceof AggregateError ? thrown.errors.flatMap(chain) : [];
  return [thrown, ...several, ...chain(thrown.cause), ...chain(original)];
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Of the error at the bottom. */
function codeIn(errors: readonly Error[]): string {
  const code = errors
    .map(codeOf)
    .filter((each) => /^[A-Z][A-Z_]+$/u.test(each))
    .at(-1);
  return code === undefined ? '' : ` (${code})`;
}
