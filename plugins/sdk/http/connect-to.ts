import type { Socket } from 'node:net';

/** The place of a connection, as a URL has its parts. */
interface ConnectedPlace {
  readonly protocol: string;
  /** Without brackets. */
  readonly hostname: string;
  /** With the port, where it is not that of the protocol. */
  readonly host: string;
  readonly port: string;
}

/**
 * Opens connections to a host of the operator's by the rules of the gateway file: by its proxy, and with the authorities that it
 * trusts. One to a place with `https:` is one of TLS.
 */
export type ConnectTo = (
  place: ConnectedPlace,
  callback: (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void;
