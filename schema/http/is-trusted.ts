import type { GatewayFile } from '../generated/gateway-file.ts';

/** A host from a URL: lower case, IPv6 without brackets, with an explicit port. */
export interface HostAddress {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Returns why the gateway does not call a URL's host, which is neither public nor trusted by the operator; undefined if it may be
 * called.
 */
export type FindUntrusted = (url: string) => string | undefined;

/** Returns an IPv6 address in its shortest form, as in URLs, but without brackets, and other hosts unchanged. */
export const withoutBrackets = (host: string): string => {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return bare.includes(':') ? (URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1) ?? bare) : bare;
};

const splitPort = (entry: string): { readonly host: string; readonly port?: number } => {
  const match = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry);
  return match?.[1] === undefined
    ? { host: withoutBrackets(entry) }
    : { host: withoutBrackets(match[1]), port: Number(match[2]) };
};

const namesHost = (pattern: string, hostname: string): boolean => {
  if (pattern === hostname) return true;
  if (pattern === 'localhost') return hostname.endsWith('.localhost');
  return pattern.startsWith('*.') && hostname.endsWith(pattern.slice(1)) && hostname.length > pattern.length - 1;
};

/**
 * Whether the operator's list contains a host. Entries are `host` for all of its ports, `host:port`, `*.domain` (with or without
 * a port), or addresses. `localhost` includes `*.localhost`. An address in the list allows the literal address, but not names
 * that resolve to it.
 */
export const isTrusted = (trusted: readonly string[], { hostname, port }: HostAddress): boolean =>
  trusted.some((entry) => {
    const { host, port: only } = splitPort(entry.trim().toLowerCase());
    return namesHost(host, hostname) && (only === undefined || only === port);
  });

const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

/** Reports each entry of a list that cannot name a host: two sentences with the reason and what to write instead. */
export const unusableHosts = (trusted: readonly string[]): readonly string[] =>
  trusted
    .filter((entry) => /[\s/@?#]/.test(entry.trim()))
    .map(
      (entry) =>
        `${JSON.stringify(entry.replace(/^(.*?\/\/)?.*@/, '$1…@').slice(0, 200))} of the trusted hosts is no host, so that it allows none. Write it without a scheme, a path and a user: models.internal, models.internal:8000 or *.internal.`,
    );

/**
 * Returns the list of the environment, or else that of the gateway file, or else loopback if only this machine can call the
 * gateway. Holders of service keys may call from anywhere and must not reach this machine's own services.
 */
export const toTrustedHosts = (
  env: string | undefined,
  { trusted_hosts }: GatewayFile,
  onlyThisMachine: boolean,
): readonly string[] => {
  const listed = env?.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])) ?? trusted_hosts;
  return listed ?? (onlyThisMachine ? loopbackHosts : []);
};
