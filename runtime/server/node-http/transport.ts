import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../ports/clock.ts';
import type { NodeRequestListener, RequestListener } from './request-listener.ts';

export interface TransportOptions {
  /** Serves HTTP/1. */
  readonly listener: NodeRequestListener;
  /** Serves HTTP/2, if it is available. */
  readonly multiplexed: RequestListener;
  readonly headerBytes: number;
  /** How long a connection without requests is kept open, in milliseconds. */
  readonly keepAliveMs: number;
  /** As in `ListenOptions`. */
  readonly stallMs: number;
  readonly clock: Clock;
  /** Whether clients are to send their next requests elsewhere. */
  readonly draining: () => boolean;
}

/** A server that does not listen yet, and its connections. */
export interface Transport {
  readonly server: Server;
  /** The open connections of HTTP/1. */
  readonly connections: ReadonlySet<Socket>;
  /**
   * Ends all other connections that serve nobody. Those that serve somebody end with their answers. Called repeatedly while
   * draining.
   */
  endUnused(): void;
  /** Ends the incomplete answers of all other connections. */
  endUnanswered(): void;
  /** Closes all others abruptly. */
  close(): void;
}

export type OpenTransport = (options: TransportOptions) => Transport;
