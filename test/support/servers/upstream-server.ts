import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { createRequestReader, type ReceivedRequest } from './upstream-request.ts';

export type { ReceivedRequest } from './upstream-request.ts';

type HeaderInit = RawHeaders | Readonly<Record<string, string>>;

export interface ScriptedAnswer {
  /** Defaults to 200. */
  readonly status?: number;
  readonly headers?: HeaderInit;
  readonly body?: string | Buffer;
  /** The number of bytes of the answer, including its head, after which the connection is broken. */
  readonly cutAfter?: number;
}

/** A stream of server-sent events under the test's control. */
export interface SseScript {
  /** One event. */
  frame(data: string | object, event?: string): void;
  /** Sends bytes unchanged as one chunk of the transfer. Returns false if the client is not keeping up. */
  send(bytes: string | Buffer): boolean;
  /** Sends `data: [DONE]`, and ends the transfer normally. */
  done(): void;
  /** Ends the transfer normally. */
  end(): void;
  /** Breaks the connection once everything before has been sent. */
  cut(): void;
}

/** One request, and how the test answers it. Without an answer, the upstream hangs. */
export interface UpstreamCall {
  readonly request: ReceivedRequest;
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** Whether the client's side is closed. */
  readonly isGone: boolean;
  /** Resolves when the client's side is closed. */
  readonly gone: Promise<void>;
  answer(answer: ScriptedAnswer): void;
  json(value: unknown, options?: Omit<ScriptedAnswer, 'body'>): void;
  /** Sends a head that announces events, and returns a script to send them. */
  sse(options?: { readonly status?: number; readonly headers?: HeaderInit }): SseScript;
  /** Sends bytes unchanged, whether or not they are valid HTTP. Returns false if the client is not keeping up. */
  raw(bytes: string | Buffer): boolean;
  /** Resolves when everything written has left the process, or the client has disconnected. */
  drained(): Promise<void>;
  /** Closes the connection once everything before has been sent. `reset` breaks it immediately. */
  cut(how?: 'close' | 'reset'): void;
}

export type UpstreamHandler = (call: UpstreamCall) => void | Promise<void>;

export interface TestUpstream {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly port: number;
  /** All requests so far. */
  readonly requests: readonly ReceivedRequest[];
  /** The number of connections that are open now. */
  readonly connections: number;
  /** The number of connections that have ever been made. */
  readonly accepted: number;
  /** Returns the next request, for a test without a handler that answers step by step. */
  nextCall(): Promise<UpstreamCall>;
  /** Answers later requests with a different handler. */
  handle(handler: UpstreamHandler): void;
  /** Changes later calls before the current handler answers them. */
  through(change: (call: UpstreamCall) => UpstreamCall): void;
  /** Resolves when no connection is open. */
  quiet(): Promise<void>;
  /** Closes everything. Rejects with what a handler threw. */
  close(): Promise<void>;
}

const toLines = (headers: HeaderInit): string => {
  const flat: RawHeaders = Array.isArray(headers) ? headers : Object.entries(headers).flat();
  let lines = '';
  for (let at = 0; at < flat.length; at += 2) lines += `${flat[at]}: ${flat[at + 1]}\r\n`;
  return lines;
};

const names = (headers: HeaderInit): readonly string[] =>
  (Array.isArray(headers) ? headers.filter((_, at) => at % 2 === 0) : Object.keys(headers)).map((name: string) =>
    name.toLowerCase(),
  );

const createSse = (call: Pick<UpstreamCall, 'raw' | 'cut'>): SseScript => {
  const send = (bytes: string | Buffer): boolean => {
    const chunk = Buffer.from(bytes);
    return call.raw(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
  };
  const end = (): void => void call.raw('0\r\n\r\n');
  return {
    send,
    end,
    frame: (data, event) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      send(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
    },
    done: () => {
      send('data: [DONE]\n\n');
      end();
    },
    cut: () => call.cut(),
  };
};

const createCall = (socket: Socket, request: ReceivedRequest, connection: number): UpstreamCall => {
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const raw = (bytes: string | Buffer): boolean => !socket.destroyed && socket.write(bytes);
  const cut = (how: 'close' | 'reset' = 'close'): void => {
    if (how === 'reset') socket.resetAndDestroy();
    else socket.end(() => socket.destroy());
  };
  const call: UpstreamCall = {
    request,
    connection,
    gone,
    raw,
    cut,
    get isGone() {
      return socket.destroyed;
    },
    drained: async () => {
      // If the client has disconnected, the drain never happens, which is not an error of the handler that waits for it.
      while (socket.writableLength > 0 && !socket.destroyed)
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone]);
    },
    answer: ({ status = 200, headers = {}, body = '', cutAfter }) => {
      const bytes = Buffer.from(body);
      const framed = names(headers).some((name) => name === 'content-length' || name === 'transfer-encoding');
      const bodyless = status === 204 || status === 304;
      const length = framed || bodyless ? '' : `content-length: ${bytes.length}\r\n`;
      const head = Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${toLines(headers)}${length}\r\n`, 'latin1');
      const whole = request.method === 'HEAD' || bodyless ? head : Buffer.concat([head, bytes]);
      raw(whole.subarray(0, cutAfter ?? whole.length));
      if (cutAfter !== undefined) cut();
    },
    json: (value, options = {}) => {
      const headers = ['content-type', 'application/json', ...toFlat(options.headers ?? {})];
      call.answer({ ...options, headers, body: JSON.stringify(value) });
    },
    sse: ({ status = 200, headers = {} } = {}) => {
      const own = 'content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n';
      raw(`HTTP/1.1 ${status} Scripted\r\n${own}${toLines(headers)}\r\n`);
      return createSse(call);
    },
  };
  return call;
};

const toFlat = (headers: HeaderInit): RawHeaders => (Array.isArray(headers) ? headers : Object.entries(headers).flat());

/**
 * Starts a real upstream on a loopback port that implements HTTP/1.1 on a plain socket, so that a test controls and sees every
 * byte. Without a handler, requests wait for `nextCall`.
 */
export const startUpstream = async (handler?: UpstreamHandler): Promise<TestUpstream> => {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const calls: UpstreamCall[] = [];
  const waiters: ((call: UpstreamCall) => void)[] = [];
  const thrown: unknown[] = [];
  let current = handler;
  let changed = (call: UpstreamCall): UpstreamCall => call;
  let accepted = 0;

  const take = (call: UpstreamCall): void => {
    requests.push(call.request);
    if (current !== undefined) {
      const run = current;
      Promise.resolve()
        .then(() => run(changed(call)))
        .catch((error: unknown) => {
          thrown.push(error);
          call.cut('reset');
        });
      return;
    }
    const waiter = waiters.shift();
    if (waiter === undefined) calls.push(call);
    else waiter(call);
  };

  const server = createServer({ noDelay: true }, (socket) => {
    accepted += 1;
    const connection = accepted;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.setMaxListeners(0);
    socket.on(
      'data',
      createRequestReader((request) => take(createCall(socket, request, connection))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
    nextCall: () => {
      const call = calls.shift();
      return call === undefined ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve(call);
    },
    handle: (next) => {
      current = next;
      for (const call of calls.splice(0)) take(call);
    },
    through: (change) => {
      changed = change;
    },
    quiet: async () => {
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      if (thrown.length > 0) throw thrown[0];
    },
  };
};
