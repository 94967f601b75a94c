import { isIPv4, isIPv6 } from 'node:net';
import { withoutBrackets } from './is-trusted.ts';

/** `127.0.0.0/8` as IPv6 addresses, as dual-stack sockets report them. */
const mapped = /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/;

const isLoopback6 = (host: string): boolean => {
  const address = withoutBrackets(host);
  return address === '::1' || mapped.test(address);
};

/** Whether only this machine can connect to this host. */
export const isLoopback = (host: string): boolean => {
  if (isIPv4(host)) return host.startsWith('127.');
  if (isIPv6(host)) return isLoopback6(host);
  return host.toLowerCase() === 'localhost';
};
