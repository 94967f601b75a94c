import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sink } from '../../../plugins/sdk/http/http.ts';
import { ServerResponse } from '../../../plugins/sdk/http/node-http.ts';
import type { OpenedSocket } from '../../http/exchange/connection.ts';

/** How many bytes a client may send before its handshake is answered. It should send none. */
const maxEarlyBytes = 64 * 1024;

/** The connection of a handshake, with what the client sent behind it. */
export interface OfferedSocket {
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Ends it after an answer. A parameter, because this module is loaded later than the gateway. */
  readonly end: () => void;
}

/** The answer to the handshake of a WebSocket: an HTTP answer that ends the connection, or its opening. */
export class SocketAnswer extends ServerResponse {
  readonly #socket: Duplex;
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #toUpstream: Sink | undefined;

  constructor(request: IncomingMessage, { socket, head, end }: OfferedSocket) {
    super(request);
    this.#socket = socket;
    this.shouldKeepAlive = false;
    this.assignSocket(request.socket);
    this.once('finish', end);
    if (head.length > 0) socket.unshift(head);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.once('end', () => {
      if (this.#toUpstream === undefined) socket.destroy();
      else this.#toUpstream.end();
    });
  }

  openSocket({ body, toUpstream }: OpenedSocket): void {
    const socket = this.#socket;
    this.flushHeaders();
    this.#toUpstream = toUpstream;
    for (const chunk of this.#early.splice(0)) this.#take(chunk);
    socket.resume();
    body.start({
      write: (chunk) => socket.write(chunk),
      onDrain: (resume) => void socket.once('drain', resume),
      end: () => this.end(),
      fail: () => void socket.destroy(),
    });
  }

  #take(chunk: Buffer): void {
    const socket = this.#socket;
    if (this.#toUpstream === undefined) {
      this.#early.push(chunk);
      this.#earlyBytes += chunk.length;
      if (this.#earlyBytes > maxEarlyBytes) socket.destroy();
    } else if (!this.#toUpstream.write(chunk)) {
      socket.pause();
      this.#toUpstream.onDrain(() => socket.resume());
    }
  }
}
