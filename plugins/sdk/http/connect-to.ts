import type { Socket } from 'node:net';

/** The destination of a connection, in the parts of a URL. */
interface ConnectedPlace {
  readonly protocol: string;
  /** Without brackets. */
  readonly hostname: string;
  /** With the port, unless it is the default port of the protocol. */
  readonly host: string;
  readonly port: string;
}

/**
 * Opens a connection to a host that the operator configured, according to the gateway file: through its proxy, and with the
 * authorities that it trusts. If the protocol is `https:`, the connection uses TLS.
 */
export type ConnectTo = (
  place: ConnectedPlace,
  callback: (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void;
