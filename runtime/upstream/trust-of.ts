/** A host as a URL has it: lower case, IPv6 without brackets; the port written out. */
export interface HostAddress {
  readonly hostname: string;
  readonly port: number;
}

/** How surely the operator vouches for a host: not at all, by its name, or by its name and this very port. */
export type Trust = 'none' | 'host' | 'port';

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
 * What the operator's list says of a host. Entries are `host`, `host:port`, `*.domain` (with or without a port), or
 * addresses; `localhost` stands for `*.localhost` too. An address in the list vouches for that literal, not for names
 * that lead to it.
 */
export const trustOf = (trusted: readonly string[], { hostname, port }: HostAddress): Trust => {
  let trust: Trust = 'none';
  for (const entry of trusted) {
    const { host, port: only } = splitPort(entry.trim().toLowerCase());
    if (!namesHost(host, hostname)) continue;
    if (only === port) return 'port';
    if (only === undefined) trust = 'host';
  }
  return trust;
};
