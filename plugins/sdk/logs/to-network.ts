import { isIPv6 } from 'node:net';

/** How many of the eight groups of an IPv6 address are those of its network. */
const networkGroups = 4;

/**
 * Finds the network that an address belongs to, as far as it can be known: an IPv4 address itself, and the network of 64
 * bits of an IPv6 one, since each caller has all addresses of one: `2001:db8:0:7::/64`.
 */
export const toNetwork = (address: string): string => {
  const plain = address.split('%', 1)[0] ?? address;
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = plain.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(before), groups(after ?? '')];
  // An IPv4 address in the last place stands for two groups.
  const missing = 8 - first.length - last.length - (plain.includes('.') ? 1 : 0);
  const all = after === undefined ? first : [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  const network = all.slice(0, networkGroups).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
};
