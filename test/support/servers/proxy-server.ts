import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { IssuedCertificate } from './certificates.ts';

/** What a proxy does with a request for a tunnel instead of opening it. */
export type ProxyFault =
  /** Answers with these bytes and keeps the connection open. */
  | { readonly answer: string }
  /** Closes the connection without an answer. */
  | 'close'
  /** Resets the connection. */
  | 'reset'
  /** Never answers. */
  | 'hang';

export interface ProxyOptions {
  /** `user:password` of its only user. It accepts everybody if absent. */
  readonly credentials?: string;
  /** If absent, it opens all tunnels. */
  readonly fault?: ProxyFault | undefined;
  /** The files of its own certificate, with which it uses TLS itself. */
  readonly secure?: Pick<IssuedCertificate, 'cert' | 'key'>;
  /** Connects to this port of 127.0.0.1 instead of any requested host, so that names need not resolve. */
  readonly leadsTo?: number;
}

/** An HTTP proxy as companies use it. */
export interface TestProxy {
  /** `http://127.0.0.1:port`, or `https://localhost:port`. */
  readonly url: string;
  readonly port: number;
  /** The heads of all requests that it received. */
  readonly heads: readonly string[];
  /** The authorities (`host:port`) for which tunnels were requested. */
  readonly asked: readonly string[];
  /** All bytes that the gateway has sent through open tunnels. */
  readonly passed: Buffer;
  /** The number of connections that are open now. */
  readonly connections: number;
  /** Changes how it handles later requests. */
  become(options: Pick<ProxyOptions, 'credentials' | 'fault'>): void;
}

const refuse = (socket: Socket, status: string, lines = ''): void => {
  socket.end(`HTTP/1.1 ${status}\r\n${lines}content-length: 0\r\n\r\n`);
};

const readHead = (socket: Socket, onHead: (head: string, rest: Buffer) => void): void => {
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    socket.off('data', onData);
    onHead(received.subarray(0, end).toString('latin1'), received.subarray(end + 4));
  };
  socket.on('data', onData);
};

/** Starts a proxy that is stopped at the end of the test. */
export const startProxy = async (first: ProxyOptions = {}): Promise<TestProxy> => {
  let options = first;
  const heads: string[] = [];
  const asked: string[] = [];
  let passed = Buffer.alloc(0);
  const open = new Set<Socket>();
  const isKnown = (head: string): boolean =>
    options.credentials === undefined ||
    head.includes(`\r\nProxy-Authorization: Basic ${Buffer.from(options.credentials).toString('base64')}`);
  const tunnel = (socket: Socket, authority: string, rest: Buffer): void => {
    const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(authority) ?? [];
    const to = first.leadsTo === undefined ? connect(Number(port), host) : connect(first.leadsTo, '127.0.0.1');
    to.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nproxy-agent: test\r\n\r\n');
      to.write(rest);
      socket.on('data', (chunk) => {
        passed = Buffer.concat([passed, chunk]);
      });
      socket.pipe(to).pipe(socket);
    });
    to.on('error', () => refuse(socket, '502 Bad Gateway'));
    socket.once('close', () => to.destroy());
  };
  const answer = (socket: Socket, head: string, rest: Buffer): void => {
    heads.push(head);
    const [, authority] = /^CONNECT (\S+) HTTP\/1\.1/.exec(head) ?? [];
    const { fault } = options;
    if (authority !== undefined) asked.push(authority);
    if (fault === 'close') socket.end();
    else if (fault === 'reset') socket.resetAndDestroy();
    else if (typeof fault === 'object') socket.write(fault.answer);
    else if (fault === 'hang') socket.resume();
    else if (authority === undefined) refuse(socket, '405 Method Not Allowed');
    else if (isKnown(head)) tunnel(socket, authority, rest);
    else refuse(socket, '407 Proxy Authentication Required', 'proxy-authenticate: Basic realm="proxy"\r\n');
  };
  const serve = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    readHead(socket, (head, rest) => answer(socket, head, rest));
  };
  const { secure } = first;
  const server: Server = secure === undefined ? createServer(serve) : createTlsServer(secure, serve);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: secure === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    port,
    heads,
    asked,
    get passed() {
      return passed;
    },
    get connections() {
      return open.size;
    },
    become: (changed) => {
      options = { ...options, ...changed };
    },
  };
};
