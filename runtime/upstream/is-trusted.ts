/** A host as a URL has it: lower case, IPv6 without brackets; the port written out. */
export interface HostAddress {
  readonly hostname: string;
  readonly port: number;
}

const withoutBrackets = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host);

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
 * Whether the operator's list vouches for a host. Entries are `host`, for every port of it, `host:port`, `*.domain` (with
 * or without a port), or addresses; `localhost` stands for `*.localhost` too. An address in the list vouches for that
 * literal, not for names that lead to it.
 */
export const isTrusted = (trusted: readonly string[], { hostname, port }: HostAddress): boolean =>
  trusted.some((entry) => {
    const { host, port: only } = splitPort(entry.trim().toLowerCase());
    return namesHost(host, hostname) && (only === undefined || only === port);
  });
