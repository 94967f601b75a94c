import { isIPv4 } from 'node:net';
import type { Connection } from './connection.ts';

/**
 * The address at the other end of a connection, IPv4 ones in their own form; undefined if there is none any more. What headers
 * say of another client is not believed, since everybody can send them.
 */
export const peerAddress = (connection: Connection | undefined): string | undefined =>
  plainAddress(connection?.request.socket.remoteAddress);

/** An address with IPv4 ones in their own form. */
export const plainAddress = (address: string | undefined): string | undefined => {
  const [, mapped = ''] = /^::ffff:(.+)$/i.exec(address ?? '') ?? [];
  return isIPv4(mapped) ? mapped : address;
};
