import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../ports/clock.ts';
import type { NodeRequestListener, RequestListener } from './request-listener.ts';

export interface TransportOptions {
  /** Serves HTTP/1. */
  readonly listener: NodeRequestListener;
  /** Serves HTTP/2, where there is any. */
  readonly multiplexed: RequestListener;
  readonly headerBytes: number;
  /** Milliseconds after which a connection without requests is closed. */
  readonly keepAliveMs: number;
  /** As in `ListenOptions`. */
  readonly stallMs: number;
  readonly clock: Clock;
  /** Whether clients are to make their next requests elsewhere. */
  readonly draining: () => boolean;
}

/** A server that does not listen yet, and its connections. */
export interface Transport {
  readonly server: Server;
  /** The open connections of HTTP/1. */
  readonly connections: ReadonlySet<Socket>;
  /** Ends all others that serve nobody; those that do end with their answers. Called again and again while draining. */
  endUnused(): void;
  /** Ends the answers of all others that are still being made. */
  endUnanswered(): void;
  /** Tears all others. */
  close(): void;
}

export type OpenTransport = (options: TransportOptions) => Transport;
