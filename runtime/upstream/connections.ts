import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Clock } from '../ports/clock.ts';
import { adaptParser } from './adapt-parser.ts';
import { Client, findSocket } from './undici-parts.ts';

/** The maximum size of an answer's header section in bytes, as for the gateway's own clients. */
const maxHeaderBytes = 64 * 1024;
/** How long an idle connection is kept if the upstream does not specify it, in milliseconds. */
const keepAliveMs = 30_000;

/** A connection, and whether it can be used again. */
export interface Connection {
  readonly client: Client;
  readonly bornAt: number;
  /** Whether an earlier request was sent on it. */
  isReused: boolean;
  /** Whether the current request offers to open a WebSocket. */
  offersSocket: boolean;
  /** `gone`: its socket has closed, and another connection is opened instead. */
  state: 'busy' | 'idle' | 'gone';
}

export interface ConnectionsOptions {
  readonly origin: string;
  readonly connect: buildConnector.connector;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How many milliseconds a connection accepts requests. */
  readonly maxAgeMs: number;
}

/** Whether a request was answered before all of it was sent. The next one would wait behind the rest. */
const hasUnsent = (client: Client): boolean => (findSocket(client)?.writableLength ?? 0) > 0;

/** The callback of a write, as defined by node:stream. */
type Written = (error?: Error | null) => void;

/** Fails a write once everything that has arrived by then was read. */
const afterReading =
  (written: Written): Written =>
  (error) => {
    // The first `setImmediate` callback runs before the next read if the write failed while events were handled.
    if (error) setImmediate(() => setImmediate(() => written(error)));
    else written();
  };

/**
 * Lets a socket be read before it reports a failed write. A server may answer early, and reset the connection while the body is
 * still being sent. Its answer has then arrived, but Node destroys a socket whose write fails without reading its data. All
 * writes of a socket share one function, so that none has to be created per write.
 */
const readBeforeFailing = (socket: Socket): void => {
  const { _write: write, _writev: writev } = socket;
  let given: Written | undefined;
  let later: Written = () => {};
  const toLater = (written: Written): Written => {
    if (written !== given) {
      given = written;
      later = afterReading(written);
    }
    return later;
  };
  socket._write = (chunk, encoding, written) => write.call(socket, chunk, encoding, toLater(written));
  if (writev) socket._writev = (chunks, written) => writev.call(socket, chunks, toLater(written));
};

/**
 * The connections to one origin, each with one request at a time. The one used last is used next, so that the others become idle
 * and close. undici's own pool searches all its connections for a free one; this one keeps track of them.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Set<Connection>();
  #idle: Connection[] = [];
  #goneIdle = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Takes a connection for exclusive use until it is released. */
  take(): Connection {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (last.state === 'gone') this.#goneIdle -= 1;
      else if (this.#isOld(last)) this.#drop(last);
      else {
        last.state = 'busy';
        last.isReused = true;
        return last;
      }
    }
    return this.#open();
  }

  /** Returns another connection in place of one that was used before and broke since. Undefined for all others. */
  replace(connection: Connection): Connection | undefined {
    if (!connection.isReused || findSocket(connection.client)?.destroyed !== true) return undefined;
    this.#drop(connection);
    return this.take();
  }

  give(connection: Connection): void {
    if (connection.state === 'gone' || this.#isOld(connection) || hasUnsent(connection.client)) {
      this.#drop(connection);
      return;
    }
    connection.state = 'idle';
    this.#idle.push(connection);
  }

  /** Closes idle connections. */
  close(): void {
    for (const connection of this.#idle.splice(0)) this.#drop(connection);
    this.#goneIdle = 0;
  }

  /** Closes all connections immediately. Running requests fail. */
  async destroy(): Promise<void> {
    const clients = [...this.#all].map(({ client }) => client);
    this.#all.clear();
    this.#idle = [];
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #isOld({ bornAt }: Connection): boolean {
    return this.#options.clock.monotonic() - bornAt >= this.#options.maxAgeMs;
  }

  #open(): Connection {
    const { origin, connect, clock } = this.#options;
    const client = new Client(origin, {
      connect,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      allowH2: false,
    });
    const connection: Connection = {
      client,
      bornAt: clock.monotonic(),
      isReused: false,
      offersSocket: false,
      state: 'busy',
    };
    client.on('connect', () => {
      adaptParser(client, () => connection.offersSocket);
      const socket = findSocket(client);
      if (socket !== undefined) readBeforeFailing(socket);
    });
    client.on('disconnect', () => this.#lose(connection));
    this.#all.add(connection);
    return connection;
  }

  #lose(connection: Connection): void {
    const wasIdle = connection.state === 'idle';
    connection.state = 'gone';
    if (!wasIdle) return;
    this.#all.delete(connection);
    this.#goneIdle += 1;
    // Removed when they make up half of the list, so that the cost per connection is constant.
    if (this.#goneIdle * 2 <= this.#idle.length) return;
    this.#idle = this.#idle.filter(({ state }) => state !== 'gone');
    this.#goneIdle = 0;
  }

  #drop(connection: Connection): void {
    connection.state = 'gone';
    this.#all.delete(connection);
    connection.client.close(() => undefined);
  }
}
