import { isIPv6 } from 'node:net';
import { findPattern, type Place } from '../search/find-pattern.ts';
import type { Detector } from '../search/finding.ts';
import { wordsBefore } from '../search/words-before.ts';

const namesVersion = wordsBefore([
  'version',
  'versions',
  'ver',
  'v',
  'release',
  'releases',
  'build',
  'rev',
  'revision',
  'section',
]);
const namesAddress = wordsBefore([
  'ip',
  'ips',
  'ipv4',
  'address',
  'adresse',
  'host',
  'server',
  'dns',
  'ping',
  'client',
  'login',
]);

/** Whether no machine on the internet has the address: https://www.iana.org/assignments/iana-ipv4-special-registry. */
const isReserved = (a: number, b: number, c: number): boolean =>
  a === 0 ||
  a === 10 ||
  a === 127 ||
  a >= 224 ||
  (a === 100 && b >= 64 && b < 128) ||
  (a === 169 && b === 254) ||
  (a === 172 && b >= 16 && b < 32) ||
  (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) ||
  (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
  (a === 203 && b === 0 && c === 113);

/** Four numbers are more often a version or an object identifier if the first is smaller than this, or if none is much larger. */
const smallestFirst = 10;
const largestOfVersion = 31;

const isAddress = (match: string, { text, from }: Place): boolean => {
  const parts = match.split('.').map(Number);
  const [a = 0, b = 0, c = 0] = parts;
  if (parts.some((part) => part > 255) || isReserved(a, b, c) || namesVersion(text, from)) return false;
  return (a >= smallestFirst && parts.some((part) => part > largestOfVersion)) || namesAddress(text, from);
};

const findIpv4 = findPattern({
  kind: 'ip',
  pattern:
    /(?<![\p{L}\p{N}_.~-]|[A-Za-z]\/)(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}(?![\p{L}\p{N}_~+]|\.\d|-\d{1,3}(?![\d.]))/u,
  accepts: isAddress,
});

/** Addresses in use start with 2 or 3. 2001:db8 is reserved for documentation. */
const inUse = /^(?!2001:0?db8:)[23][0-9a-f]{3}:/i;

const findIpv6 = findPattern({
  kind: 'ip',
  pattern: /(?<![\p{L}\p{N}_:.])[23][0-9a-f]{3}:[0-9a-f:]{2,34}(?![\p{L}\p{N}_:])/iu,
  accepts: (match) => inUse.test(match) && isIPv6(match),
});

/** Finds public IP addresses. Addresses of private networks, loopback and documentation do not identify a person. */
export const findIpAddresses: Detector = (text) => [...findIpv4(text), ...findIpv6(text)];
