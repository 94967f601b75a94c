import { isIPv6 } from 'node:net';

/** How many of the eight groups of an IPv6 address identify its network. */
const networkGroups = 4;

/**
 * Returns the network that an address belongs to, as far as it can be known: for IPv4, the address itself; for IPv6, the 64-bit
 * network, because each caller has all addresses of one: `2001:db8:0:7::/64`.
 */
export const toNetwork = (address: string): string => {
  const plain = address.split('%', 1)[0] ?? address;
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = plain.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(before), groups(after ?? '')];
  // An IPv4 address at the end stands for two groups.
  const missing = 8 - first.length - last.length - (plain.includes('.') ? 1 : 0);
  const all = after === undefined ? first : [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  const network = all.slice(0, networkGroups).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
};
