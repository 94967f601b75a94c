import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../schema/http/is-loopback.ts';
import { type HostAddress, withoutBrackets } from '../../schema/http/is-trusted.ts';

/** Whether a host is connected to directly. */
export type DirectHosts = (host: HostAddress) => boolean;

interface Entry {
  /** Without brackets, without dots at its ends, and without `*.`. Absent for a network. */
  readonly host?: string;
  readonly network?: BlockList;
  /** If absent, all ports. */
  readonly port?: number;
}

const toNetwork = (text: string): BlockList | undefined => {
  const [address = '', prefix = ''] = text.split('/');
  const family = isIP(address);
  if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) return undefined;
  const network = new BlockList();
  network.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  return network;
};

const toEntry = (text: string): Entry | undefined => {
  if (text.includes('/')) {
    const network = toNetwork(text.replace(/[[\]]/g, ''));
    return network && { network };
  }
  // Several colons without brackets all belong to an IPv6 address.
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const written = bracketed ?? plain ?? (isIP(text) === 6 ? text : undefined);
  if (written === undefined) return undefined;
  const host = withoutBrackets(written.replace(/^\*?\.+/, '').replace(/\.+$/, ''));
  return host === '' ? undefined : { host, ...(port !== undefined && { port: Number(port) }) };
};

const names = ({ host, network, port }: Entry, address: string, at: number): boolean => {
  const family = isIP(address);
  if (network !== undefined) return family !== 0 && network.check(address, family === 4 ? 'ipv4' : 'ipv6');
  if (host === undefined || (port !== undefined && port !== at)) return false;
  return address === host || (family === 0 && isIP(host) === 0 && address.endsWith(`.${host}`));
};

/**
 * Reads the variable NO_PROXY: entries separated by commas or blanks.
 *
 * - `example.com` and `.example.com` both match that name and all names below it; so does `*.example.com`.
 * - `10.1.2.3`, `[fd00::1]` and `fd00::1` match that address, but no name that resolves to it.
 * - `10.0.0.0/8` and `fd00::/8` match all addresses of that network, also only as written in a URL.
 * - `example.com:8443` and `[fd00::1]:8443` match only at this port.
 * - `*` matches everything.
 *
 * Loopback addresses, `localhost` and the names below it are always connected to directly, as in Go. Any other entry is ignored,
 * as it is elsewhere. The sources are the documentation of curl (https://everything.curl.dev/usingcurl/proxies/env.html, where a
 * leading dot makes no difference, as in Python and Wget) and of Go (https://pkg.go.dev/golang.org/x/net/http/httpproxy, which
 * has the ports, and where a leading dot means only the names below).
 */
export const readNoProxy = (text = ''): DirectHosts => {
  const parts = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  if (parts.includes('*')) return () => true;
  const entries = parts.flatMap((part) => toEntry(part) ?? []);
  return ({ hostname, port }) => {
    const host = withoutBrackets(hostname.toLowerCase().replace(/\.$/, ''));
    return isLoopback(host) || host.endsWith('.localhost') || entries.some((entry) => names(entry, host, port));
  };
};
