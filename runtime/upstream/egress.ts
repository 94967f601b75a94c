import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector as UndiciConnector } from 'undici';
import { findWeakness, readCertificates } from '../../plugins/sdk/http/read-pem.ts';
import { errorReport } from '../../schema/errors/errors.ts';
import type { HostAddress } from '../../schema/http/is-trusted.ts';
import { isTrusted } from '../../schema/http/is-trusted.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { AddressNotAllowed, checkedLookup } from './dns/checked-lookup.ts';
import { isRefusedAddress } from './dns/refused-address.ts';
import { EgressFailure } from './network-report.ts';
import { buildConnector } from './undici-parts.ts';

/** The values for TLS connections, as PEM. */
export interface TlsValues {
  /** The authorities that are trusted. Default: Node's. */
  readonly ca?: string | undefined;
  /** Authorities that are trusted in addition to Node's. Not used with `ca`. */
  readonly extraCa?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The passphrase of the encrypted key. */
  readonly passphrase?: string | undefined;
}

/** TLS settings that are read for each connection. */
export interface FollowedTls {
  /** Throws an `Error` whose message says in a sentence why they cannot be used. */
  read(): TlsValues;
  /** The name that is requested, and that the certificate must be for. Default: the host. */
  readonly serverName?: string | undefined;
  /** Called if values that have changed cannot be used, so that the previous ones still are. */
  readonly onUnusable?: (reason: string) => void;
}

/** A proxy for outgoing connections. */
export interface OutboundProxy {
  /** Whether connections to a host use the proxy. */
  covers(host: HostAddress & { readonly protocol: string }): boolean;
  /**
   * Connects through the proxy. `secure` opens the TLS connection to the host in the tunnel. All of it takes at most `timeoutMs`
   * milliseconds.
   */
  connect(
    options: UndiciConnector.Options,
    how: { readonly secure: UndiciConnector.connector; readonly timeoutMs: number },
    callback: UndiciConnector.Callback,
  ): void;
}

export interface EgressOptions {
  readonly trustedHosts: readonly string[];
  /** Resolves names. Default: the system's resolver, and `publicLookup` for hosts of callers and tenants that are not trusted. */
  readonly lookup?: LookupFunction;
  /** The time-out for connecting, in milliseconds. */
  readonly connectMs: number;
  /** If absent, all hosts are connected to directly. */
  readonly proxy?: OutboundProxy | undefined;
  /** Whether callers choose the hosts. Through a proxy, they reach only trusted ones. */
  readonly isCallers?: boolean;
  /** Whether tenants have saved the hosts. */
  readonly isTenants?: boolean;
  /** If absent: what Node trusts, and no certificate of the gateway. */
  readonly tls?: FollowedTls | undefined;
}

type ConnectorOptions = UndiciConnector.BuildOptions;

const unusableTls = (error: unknown): EgressFailure => {
  const reason = error instanceof Error ? error.message : 'They cannot be read.';
  return new EgressFailure((host) => errorReport('unusable-tls', { host, reason }));
};

const isSame = (one: TlsValues, other: TlsValues): boolean =>
  (['ca', 'extraCa', 'cert', 'key', 'passphrase'] as const).every((member) => one[member] === other[member]);

/** Options of TLS connections. They are expensive to create: with additional authorities, all of Node's are read. */
export interface TlsOptions {
  readonly secureContext: SecureContext;
}

/** Refuses an incomplete list of certificates, of which OpenSSL would accept the beginning. */
const refuseUnreadable = (pem: string | undefined, what: string): void => {
  if (pem !== undefined && readCertificates(pem) === undefined)
    throw new Error(`The certificates of ${what} cannot be read, or are incomplete.`);
};

/** Returns in a sentence why OpenSSL refuses values that can be read. */
const toRefusal = (error: unknown): Error => {
  const weakness = findWeakness(error);
  const message =
    weakness === undefined ? `OpenSSL refuses them (${errorText(error)}).` : `"cert" is too weak for TLS: ${weakness}.`;
  return new Error(message, { cause: error });
};

/** Creates the options of TLS connections. Throws an `Error` whose message says in a sentence why values cannot be used. */
export const toTlsOptions = ({ ca, extraCa, cert, key, passphrase }: TlsValues): TlsOptions => {
  refuseUnreadable(ca, '"ca"');
  refuseUnreadable(extraCa, '"trusted_authorities"');
  refuseUnreadable(cert, '"cert"');
  const { createSecureContext, getCACertificates } = process.getBuiltinModule('node:tls');
  const added = extraCa === undefined ? undefined : [...getCACertificates('default'), extraCa];
  const authorities = ca ?? added;
  try {
    return {
      secureContext: createSecureContext({
        ...(authorities !== undefined && { ca: authorities }),
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
        ...(passphrase !== undefined && { passphrase }),
      }),
    };
  } catch (error) {
    throw toRefusal(error);
  }
};

/**
 * Returns a connector with TLS settings. Each connector has its own sessions, which no connection with other settings resumes.
 */
const followTls = ({ read, serverName, onUnusable }: FollowedTls, options: ConnectorOptions): typeof connector => {
  let held: { readonly values: TlsValues; readonly open: UndiciConnector.connector } | undefined;
  let refused: TlsValues | undefined;
  const renew = (): void => {
    const values = read();
    if (held !== undefined && (isSame(held.values, values) || (refused !== undefined && isSame(refused, values))))
      return;
    refused = values;
    const named = serverName === undefined ? {} : { servername: serverName };
    held = { values, open: buildConnector({ ...options, ...toTlsOptions(values), ...named }) };
  };
  const connector: UndiciConnector.connector = (target, callback) => {
    try {
      renew();
    } catch (error) {
      if (held === undefined) {
        queueMicrotask(() => callback(unusableTls(error), null));
        return;
      }
      onUnusable?.(error instanceof Error ? error.message : 'They cannot be read.');
    }
    // undici passes the name of the host, which overrides the option.
    const { servername: _, ...rest } = target;
    held?.open(serverName === undefined ? target : rest, callback);
  };
  return connector;
};

/** Loaded when a caller or a tenant first chooses a host. */
const lateLookup: LookupFunction = (hostname, options, callback) => {
  import('./dns/public-lookup.ts').then(
    ({ publicLookup }) => publicLookup(hostname, options, callback),
    (error: NodeJS.ErrnoException) => callback(error, '', 0),
  );
};

/**
 * Opens every connection to an upstream; nothing else does. A host that is not trusted gets `AddressNotAllowed` if it is, or
 * resolves only to, addresses that are not public. Behind a proxy, names are not resolved here, so only an operator may choose
 * what is reached through it.
 */
export const createEgress = ({
  trustedHosts,
  lookup,
  connectMs,
  proxy,
  isCallers = false,
  isTenants = false,
  tls,
}: EgressOptions): UndiciConnector.connector => {
  const common = { allowH2: false, timeout: connectMs, keepAlive: true };
  const build = (options: ConnectorOptions): UndiciConnector.connector =>
    tls === undefined ? buildConnector(options) : followTls(tls, options);
  const open = build({ ...common, lookup: lookup ?? systemLookup });
  const openChecked = build({
    ...common,
    lookup: checkedLookup(lookup ?? (isCallers || isTenants ? lateLookup : systemLookup)),
  });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(options.port);
    const isListed = isTrusted(trustedHosts, { hostname, port });
    const fail = (error: Error): void => queueMicrotask(() => callback(error, null));
    // An address literal is not resolved.
    if (!isListed && isIP(hostname) !== 0 && isRefusedAddress(hostname)) fail(new AddressNotAllowed(hostname));
    else if (proxy?.covers({ hostname, port, protocol }) === true) {
      if (isCallers && !isListed) fail(new EgressFailure((host) => errorReport('host-behind-proxy', { host })));
      else proxy.connect(options, { secure: open, timeoutMs: connectMs }, callback);
    } else (isListed ? open : openChecked)(options, callback);
  };
};
