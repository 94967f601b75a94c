import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse, Sink, StreamBody } from '../../../plugins/sdk/http/http.ts';

/** A request that a server receives, as node:http represents it. The stream is its body. */
export interface ServerRequest extends Readable {
  readonly method?: string | undefined;
  /** The request target: a path with its query. */
  url?: string | undefined;
  /** Alternating names and values, as they arrived. */
  readonly rawHeaders: string[];
  /** `1.0`, `1.1` or `2.0`. */
  readonly httpVersion: string;
  /** Whether all of it has arrived. */
  readonly complete: boolean;
  /** `encrypted`: whether the connection uses TLS. */
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** The upstream's side of a WebSocket. */
export interface OpenedSocket {
  readonly body: StreamBody;
  readonly toUpstream: Sink;
}

/** The answer to a request: the part of node:http's `ServerResponse` that is used, which an HTTP/2 stream has too. */
export interface ServerAnswer {
  readonly req: ServerRequest;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  sendDate: boolean;
  /** The reason phrase. Default: that of the status. HTTP/2 has none. */
  statusMessage?: string;
  /** Null before its turn on its connection. Absent if the connection does not close with an answer. */
  readonly socket?: Socket | null;
  /** Whether a later request on the connection is being served, so that this one must not end the connection. */
  readonly isFollowed?: boolean;
  /** Whether its body uses the chunked transfer coding, which HTTP/2 does not have. */
  chunkedEncoding: boolean;
  /** `lines` are alternating names and values. Throws if HTTP does not allow the status or one of the lines. */
  writeHead(status: number, lines: string[]): unknown;
  flushHeaders(): void;
  /** If it returns false, the next write should wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  addTrailers(lines: readonly [name: string, value: string][]): void;
  end(chunk?: string | Uint8Array, encoding?: BufferEncoding): unknown;
  /** Connects the client with the upstream, after the head. Absent if the connection cannot become a WebSocket. */
  openSocket?(opened: OpenedSocket): void;
  writeContinue(): void;
  /** Ends the answer so that its client notices that it is incomplete. */
  destroy(): unknown;
  on(event: 'close', listener: () => void): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
  once(event: 'socket', listener: (socket: Socket) => void): unknown;
}

/** The connection that an exchange came on. */
export interface Connection {
  readonly request: ServerRequest;
  readonly response: ServerAnswer;
  /** Whether the server is shutting down, so that long-lived answers should end. */
  readonly isDraining?: () => boolean;
  /**
   * Opens a WebSocket whose messages are requests with the headers of this exchange. Rejects with the `GatewayError`
   * `invalid-header`. Absent if the server has none.
   */
  readonly openMessages?: (exchange: Exchange, request: ServerRequest) => Promise<GatewayResponse>;
}
