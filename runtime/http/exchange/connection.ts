import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** A request that a server receives, as node:http describes it: its body is what the stream gives. */
export interface ServerRequest extends Readable {
  readonly method?: string | undefined;
  /** The target: a path with its query. */
  url?: string | undefined;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: string[];
  /** `1.0`, `1.1` or `2.0`. */
  readonly httpVersion: string;
  /** Whether all of it has arrived. */
  readonly complete: boolean;
  /** `encrypted`: its connection has TLS. */
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** The answer to it: the part of node:http's `ServerResponse` that is used, which a stream of HTTP/2 has too. */
export interface ServerAnswer {
  readonly req: ServerRequest;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  sendDate: boolean;
  /** The reason phrase; that of the status where it is absent. HTTP/2 has none. */
  statusMessage?: string;
  /** Null before its turn among those of its connection; absent where that does not close with an answer. */
  readonly socket?: Socket | null;
  /** Whether another request of its connection is served behind it, so that it must not end the connection. */
  readonly isFollowed?: boolean;
  /** Whether its body is in the chunked transfer coding, which HTTP/2 does not have. */
  chunkedEncoding: boolean;
  /** `lines` are names and values in turn. Throws if HTTP does not allow the status or one of these. */
  writeHead(status: number, lines: string[]): unknown;
  flushHeaders(): void;
  /** False: the next one should wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  addTrailers(lines: readonly [name: string, value: string][]): void;
  end(chunk?: string | Uint8Array, encoding?: BufferEncoding): unknown;
  writeContinue(): void;
  /** Ends it so that its client notices that it is not whole. */
  destroy(): unknown;
  on(event: 'close', listener: () => void): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
  once(event: 'socket', listener: (socket: Socket) => void): unknown;
}

/** The connection that an exchange came on. */
export interface Connection {
  readonly request: ServerRequest;
  readonly response: ServerAnswer;
  /** Whether the server is shutting down, so that answers which last should end. */
  readonly isDraining?: () => boolean;
}
