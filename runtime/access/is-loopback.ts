import { isIPv4, isIPv6 } from 'node:net';

/** Whether only this machine can connect to this host. */
export const isLoopback = (host: string): boolean => {
  if (isIPv4(host)) return host.startsWith('127.');
  if (isIPv6(host)) return host === '::1' || /^::ffff:127\./i.test(host);
  return host.toLowerCase() === 'localhost';
};
