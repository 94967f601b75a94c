import { isIPv4, isIPv6 } from 'node:net';
import type { HostError } from '../../plugins/sdk/http/host-error.ts';
import { type HostAddress, isTrusted } from '../../schema/http/is-trusted.ts';
import { isRefusedAddress } from './dns/refused-address.ts';

const maxUrlLength = 2048;
const maxLabels = 10;

/** Ports of services that do not speak HTTP, or that trust every client. */
const blockedPorts: ReadonlySet<number> = new Set([
  7, 9, 19, 22, 23, 25, 53, 110, 111, 135, 139, 143, 161, 389, 445, 465, 514, 587, 636, 873, 993, 995, 1433, 1521, 2049,
  2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 6379, 6443, 9042, 9200, 9300, 10250, 11211, 27017, 27018,
]);

/** Host names of the metadata services of clouds, which contain secrets. */
const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.azure.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

const privateEndings = [
  ...['local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'test', 'invalid', 'onion'],
  ...['localhost', 'home.arpa', 'in-addr.arpa', 'ip6.arpa'],
  // Public names that resolve to the address written in them.
  ...['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me', 'vcap.me', 'lacolhost.com', 'traefik.me'],
];

const nameReason = (hostname: string): string | undefined => {
  if (isIPv4(hostname)) return isRefusedAddress(hostname) ? 'the address is not public' : undefined;
  if (isIPv6(hostname)) return 'an IPv6 address must be listed as trusted';
  const labels = hostname.split('.');
  if (!/^[a-z0-9._-]+$/.test(hostname) || labels.includes('')) return 'the name is not a plain host name';
  if (labels.length > maxLabels) return `the name has more than ${maxLabels} labels`;
  if (labels.some((label) => label.startsWith('xn--'))) return 'a punycode name must be listed as trusted';
  if (metadataNames.has(hostname)) return 'the name belongs to a metadata service';
  const ending = privateEndings.find((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  if (ending === hostname) return `the name "${hostname}" is not public`;
  if (ending !== undefined) return `names that end in .${ending} are not public`;
  return labels.length === 1 ? 'a name without a dot is not public' : undefined;
};

/** Returns the host as the caller wrote it, before a URL parser turns `0x7f.1` into `127.0.0.1`. */
const spelling = (url: string): string | undefined =>
  /^[a-z]+:\/\/(\[[^\]/?#]*\]|[^:/?#[\]]+)(?::\d*)?(?:[/?#]|$)/i.exec(url)?.[1];

const malformed = (reason: string): HostError => ({ reason: `${reason}.`, listable: false });
const unlisted = (reason: string): HostError => ({ reason: `${reason}.`, listable: true });

/**
 * Returns why a caller may not send requests to this base URL, judging by its text. `undefined` if it may (the resolved address
 * is checked again when connecting). Hosts that the operator lists skip the checks of names, ranges and ports: one listed as
 * `host` at every port, one listed as `host:port` at that port. A host that is reached through a proxy must be listed.
 */
export const checkHost = (
  url: string,
  trusted: readonly string[],
  isBehindProxy: (host: HostAddress & { readonly protocol: string }) => boolean = () => false,
): HostError | undefined => {
  if (url === '') return malformed('it is empty');
  if (url.length > maxUrlLength) return malformed(`it is longer than ${maxUrlLength} characters`);
  if (/[ \p{Cc}]/u.test(url)) return malformed('it contains white space or control characters');
  if (!/^https?:\/\//i.test(url)) return malformed('it does not begin with https:// or http://');
  if (url.includes('\\')) return malformed('it contains a backslash');
  if (/^[^:]+:\/\/[^/?#]*@/.test(url)) return malformed('it contains credentials');
  if (/[?#]/.test(url)) return malformed('it contains a query or a fragment');
  const written = spelling(url);
  if (written === undefined || !URL.canParse(url))
    return malformed('it is not a URL with a host and a port from 1 to 65535');
  const { hostname: parsed, port: portText, protocol } = new URL(url);
  const port = portText === '' ? (protocol === 'https:' ? 443 : 80) : Number(portText);
  if (port === 0) return malformed('the port is not from 1 to 65535');
  if (written.toLowerCase() !== parsed) return malformed('the name is not a plain host name');
  const hostname = parsed.startsWith('[') ? parsed.slice(1, -1) : parsed;
  if (isTrusted(trusted, { hostname, port })) return undefined;
  if (blockedPorts.has(port)) return unlisted(`the port ${port} is not allowed for HTTP`);
  const reason = nameReason(hostname);
  if (reason !== undefined) return unlisted(reason);
  if (!isBehindProxy({ hostname, port, protocol })) return undefined;
  return unlisted('the gateway reaches it through a proxy, so its address cannot be checked');
};
