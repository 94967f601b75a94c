import { BlockList, isIPv4 } from 'node:net';

const ipv4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // metadata of a cloud, on a public address
  ['169.254.0.0', 16], // link-local, and most clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relay anycast, withdrawn
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3], // multicast, reserved, broadcast
] as const)
  ipv4.addSubnet(network, prefix, 'ipv4');

// Only 2000::/3 is global unicast. Everything outside is loopback, unspecified, mapped IPv4, NAT64, unique-local, link-local,
// multicast or unassigned.
const ipv6 = new BlockList();
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23], // protocol assignments, Teredo among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: carries an IPv4 address
  ['3fff::', 20], // documentation
] as const)
  ipv6.addSubnet(network, prefix, 'ipv6');

// The well-known prefix of NAT64 (RFC 6052). On a network without IPv4, names of hosts without IPv6 resolve to it.
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** Returns the IPv4 address in the last 32 bits of an address that is zero from the third group to the sixth. */
const lastFour = (address: string): string => {
  const [, last = ''] = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1).split('::') ?? [];
  const [low = 0, high = 0] = last
    .split(':')
    .reverse()
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/**
 * Whether untrusted hosts must not resolve to an address: everything that is not a public unicast address
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry), and the metadata services of
 * clouds. An address that NAT64 translates is judged by the IPv4 address in it. `address` is a literal without brackets; a zone
 * (`%eth0`) is ignored.
 */
export const isRefusedAddress = (address: string): boolean => {
  if (isIPv4(address)) return ipv4.check(address, 'ipv4');
  const [bare = address] = address.split('%');
  return translated.check(bare, 'ipv6') ? ipv4.check(lastFour(bare), 'ipv4') : ipv6.check(bare, 'ipv6');
};
