/**
 * The benchmark's client, on bare sockets, in a process of its own: `node load.ts '{"mode":"closed",…}'` prints one
 * line of JSON (`LoadResult`). Modes: `closed` keeps every connection busy, `open` sends at a fixed rate whether
 * answers come or not and waits for those that are missing at the end, `streams` reads event streams one after another, `hold` opens streams and keeps them until
 * its standard input ends.
 */
import { connect, type Socket } from 'node:net';
import { contentMark } from './payloads.ts';

export interface LoadOptions {
  readonly mode: 'closed' | 'open' | 'streams' | 'hold';
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, in `open` mode. */
  readonly rate?: number;
  /** In `open` mode, how long requests are sent before their times count; 0 if absent. This process is slow at first. */
  readonly uncountedSeconds?: number;
}

/** Times in milliseconds. In `open` mode they count from the moment the request should have been sent. */
export interface LoadResult {
  readonly answers: number;
  readonly failures: number;
  /** Body bytes received, those of answers that did not end in time too. */
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
  /** Median time to the first text of a stream. */
  readonly firstContent: number;
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

class Connection {
  readonly #socket: Socket;
  readonly #request: Buffer;
  readonly #done: (connection: Connection) => void;
  #head = '';
  #remaining = -1;
  #tail = '';
  begun = 0;
  contentAt = 0;
  bytes = 0;
  ok = false;
  busy = false;

  constructor(port: number, request: Buffer, done: (connection: Connection) => void) {
    this.#request = request;
    this.#done = done;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes) => this.#receive(bytes));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.busy && this.#finish(false));
  }

  send(begun: number = performance.now()): void {
    this.#head = '';
    this.#remaining = -1;
    this.#tail = '';
    this.contentAt = 0;
    this.begun = begun;
    this.busy = true;
    this.#socket.write(this.#request);
  }

  #receive(bytes: Buffer): void {
    let body = bytes;
    if (this.#head === '') {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) {
        this.#finish(false);
        return;
      }
      this.#head = bytes.toString('latin1', 0, end).toLowerCase();
      this.#remaining = Number(/\r\ncontent-length: *(\d+)/.exec(this.#head)?.[1] ?? -1);
      body = bytes.subarray(end + 4);
    }
    this.bytes += body.length;
    if (this.contentAt === 0 && body.includes(contentMark)) this.contentAt = performance.now();
    if (this.#remaining >= 0) {
      this.#remaining -= body.length;
      if (this.#remaining <= 0) this.#finish(true);
      return;
    }
    this.#tail = (this.#tail + body.toString('latin1', Math.max(0, body.length - 7))).slice(-7);
    if (this.#tail.endsWith('\r\n0\r\n\r\n')) this.#finish(true);
  }

  #finish(whole: boolean): void {
    this.busy = false;
    this.ok = whole && /^http\/1\.1 2/.test(this.#head);
    this.#done(this);
  }
}

const requestOf = ({ port, path, headers, body }: LoadOptions): Buffer => {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    authorization: 'Bearer bench-key',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};

/** How many of the requests that were sent have no answer after five more seconds. */
const unanswered = async (connections: readonly Connection[]): Promise<number> => {
  const waiting = (): number => connections.filter(({ busy }) => busy).length;
  const end = performance.now() + 5000;
  while (waiting() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 1));
  return waiting();
};

const run = (options: LoadOptions): Promise<LoadResult> =>
  new Promise((resolve) => {
    const { mode, port, connections, seconds, rate = 1000, uncountedSeconds = 0 } = options;
    const request = requestOf(options);
    const times: number[] = [];
    const firsts: number[] = [];
    const idle: Connection[] = [];
    let failures = 0;
    let over = false;
    const done = (connection: Connection): void => {
      if (!connection.ok) failures += 1;
      else if (connection.begun >= countedFrom) {
        times.push(performance.now() - connection.begun);
        if (connection.contentAt > 0) firsts.push(connection.contentAt - connection.begun);
      }
      if (over || !connection.ok) return;
      if (mode === 'open') idle.push(connection);
      else connection.send();
    };
    const all: Connection[] = [];
    const open = (): Connection => {
      const connection = new Connection(port, request, done);
      all.push(connection);
      return connection;
    };
    const first = Array.from({ length: connections }, open);
    const begin = performance.now();
    const countedFrom = begin + uncountedSeconds * 1000;
    if (mode === 'open') {
      idle.push(...first);
      let sent = 0;
      const tick = (): void => {
        while (!over && sent < ((performance.now() - begin) * rate) / 1000)
          (idle.pop() ?? open()).send(begin + (sent++ * 1000) / rate);
        if (!over) setTimeout(tick, 1);
      };
      tick();
    } else
      first.forEach((connection, index) => {
        setTimeout(() => connection.send(), mode === 'streams' ? (index * 500) / connections : 0);
      });
    setTimeout(
      async () => {
        over = true;
        const missing = mode === 'open' ? await unanswered(all) : 0;
        times.sort((a, b) => a - b);
        firsts.sort((a, b) => a - b);
        resolve({
          answers: times.length,
          failures: failures + missing,
          bytes: all.reduce((sum, connection) => sum + connection.bytes, 0),
          p50: percentile(times, 0.5),
          p99: percentile(times, 0.99),
          firstContent: percentile(firsts, 0.5),
        });
      },
      (uncountedSeconds + seconds) * 1000,
    );
  });

const hold = async (options: LoadOptions): Promise<void> => {
  const request = requestOf(options);
  const held: Connection[] = [];
  for (let at = 0; at < options.connections; at += 1) {
    const connection = new Connection(options.port, request, () => undefined);
    held.push(connection);
    connection.send();
    if (at % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const isEnded = ({ busy, contentAt }: Connection): boolean => !busy && contentAt === 0;
  while (held.some(({ contentAt }) => contentAt === 0)) {
    const ended = held.filter(isEnded).length;
    if (ended > 0) throw new Error(`${ended} of ${options.connections} streams ended before their first text.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write('{"held":true}\n');
  process.stdin.resume().on('end', () => process.exit(0));
};

if (import.meta.main) {
  const options: LoadOptions = JSON.parse(process.argv[2] ?? '{}');
  if (options.mode === 'hold') await hold(options);
  else {
    process.stdout.write(`${JSON.stringify(await run(options))}\n`);
    process.exit(0);
  }
}
