import { isIPv4 } from 'node:net';
import type { Connection } from './connection.ts';

/**
 * Returns the address at the other end of a connection, with IPv4 addresses in their own form. Undefined if it is no longer
 * connected. Headers that name another client are not trusted, because everybody can send them.
 */
export const peerAddress = (connection: Connection | undefined): string | undefined =>
  plainAddress(connection?.request.socket.remoteAddress);

/** Returns an address, with IPv4 addresses in their own form. */
export const plainAddress = (address: string | undefined): string | undefined => {
  const [, mapped = ''] = /^::ffff:(.+)$/i.exec(address ?? '') ?? [];
  return isIPv4(mapped) ? mapped : address;
};
