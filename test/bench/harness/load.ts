/**
 * The benchmark's client, on bare sockets, in a separate process: `node load.ts '{"mode":"closed",…}'` prints one line of JSON
 * (`LoadResult`). Modes: `closed` keeps every connection busy; `open` sends at a fixed rate regardless of the answers, and waits
 * for missing answers at the end; `streams` reads event streams one after another; `hold` opens streams and keeps them open until
 * its standard input ends. With `reportSeconds`, it also prints a line (`LoadReport`) for each period of that length. If the body
 * contains `numberMark`, each request has its number in that place, so that no two are alike.
 */
import { connect, type Socket } from 'node:net';
import { contentMark, numberMark } from './payloads.ts';

export interface LoadOptions {
  readonly mode: 'closed' | 'open' | 'streams' | 'hold';
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second, in `open` mode. */
  readonly rate?: number;
  /**
   * In `open` mode, for how many seconds requests are sent before their times count; 0 if absent. This process is slow at first.
   */
  readonly uncountedSeconds?: number;
  /** The length of a reported period in seconds. Only the total is reported if absent. */
  readonly reportSeconds?: number;
}

/** Times are in milliseconds. In `open` mode they start at the moment at which the request should have been sent. */
export interface LoadResult {
  readonly answers: number;
  readonly failures: number;
  /** Body bytes received, including those of answers that did not end in time. */
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
  /** The median time to the first text of a stream. */
  readonly firstContent: number;
}

/** The result of the requests that ended since the last report. */
export interface LoadReport {
  readonly period: LoadResult;
}

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Collects the results of requests. */
class Tally {
  readonly #times: number[] = [];
  readonly #firsts: number[] = [];
  #failures = 0;
  #bytes = 0;

  answered({ begun, contentAt }: Connection): void {
    this.#times.push(performance.now() - begun);
    if (contentAt > 0) this.#firsts.push(contentAt - begun);
  }

  failed(requests = 1): void {
    this.#failures += requests;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  result(): LoadResult {
    const times = Float64Array.from(this.#times).sort();
    const firsts = Float64Array.from(this.#firsts).sort();
    return {
      answers: times.length,
      failures: this.#failures,
      bytes: this.#bytes,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      firstContent: percentile(firsts, 0.5),
    };
  }
}

interface ConnectionOptions {
  readonly port: number;
  /** Returns the bytes of the next request. */
  readonly next: () => Buffer;
  readonly received: (bytes: number) => void;
  readonly done: (connection: Connection) => void;
}

/** Shorter than the gateway's own idle time-out of 75 s. */
const longestIdleMs = 30_000;

class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  #head = '';
  #remaining = -1;
  #tail = '';
  begun = 0;
  contentAt = 0;
  ok = false;
  busy = false;
  /** Whether the connection is closed. The gateway closes connections that are idle for too long. */
  isClosed = false;
  #idleSince = performance.now();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes) => this.#receive(bytes));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
      if (this.busy) this.#finish(false);
    });
  }

  /**
   * Whether the connection can be reused. Clients give up an idle connection before the server's time-out, because the server
   * might close it at any moment.
   */
  get isUsable(): boolean {
    if (this.isClosed) return false;
    if (performance.now() - this.#idleSince < longestIdleMs) return true;
    this.#socket.destroy();
    return false;
  }

  send(begun: number = performance.now()): void {
    this.#head = '';
    this.#remaining = -1;
    this.#tail = '';
    this.contentAt = 0;
    this.begun = begun;
    this.busy = true;
    this.#socket.write(this.#options.next());
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
    this.#options.received(body.length);
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
    this.#idleSince = performance.now();
    this.ok = whole && /^http\/1\.1 2/.test(this.#head);
    this.#options.done(this);
  }
}

const headAndBody = ({ port, path, headers, body }: LoadOptions): Buffer => {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    authorization: 'Bearer bench-key',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};

/** Returns a function that returns the bytes of the next request: always the same, or numbered. */
const toRequests = (options: LoadOptions): (() => Buffer) => {
  const request = headAndBody(options);
  const at = request.indexOf(numberMark);
  if (at < 0) return () => request;
  let sent = 0;
  return () => {
    // A copy, because a socket might not have written the previous request yet.
    const numbered = Buffer.from(request);
    sent += 1;
    numbered.write(`#${String(sent).padStart(numberMark.length - 2, '0')}#`, at);
    return numbered;
  };
};

/** Waits up to five seconds for missing answers, and returns how many are still missing. */
const unanswered = async (connections: readonly Connection[]): Promise<number> => {
  const waiting = (): number => connections.filter(({ busy }) => busy).length;
  const end = performance.now() + 5000;
  while (waiting() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 1));
  return waiting();
};

const run = (options: LoadOptions): Promise<LoadResult> =>
  new Promise((resolve) => {
    const { mode, port, connections, seconds, rate = 1000, uncountedSeconds = 0, reportSeconds } = options;
    const total = new Tally();
    let period = new Tally();
    const next = toRequests(options);
    const idle: Connection[] = [];
    let over = false;
    const received = (bytes: number): void => {
      total.received(bytes);
      period.received(bytes);
    };
    const done = (connection: Connection): void => {
      for (const tally of [total, period]) {
        if (!connection.ok) tally.failed();
        else if (connection.begun >= countedFrom) tally.answered(connection);
      }
      if (over || !connection.ok) return;
      if (mode === 'open') idle.push(connection);
      else connection.send();
    };
    const all: Connection[] = [];
    const open = (): Connection => {
      const connection = new Connection({ port, next, received, done });
      all.push(connection);
      return connection;
    };
    /** Returns a connection that is idle and open, or opens one, as HTTP clients do. */
    const openIdle = (): Connection => {
      for (let last = idle.pop(); last !== undefined; last = idle.pop()) if (last.isUsable) return last;
      return open();
    };
    const first = Array.from({ length: connections }, open);
    const begin = performance.now();
    const countedFrom = begin + uncountedSeconds * 1000;
    if (mode === 'open') {
      idle.push(...first);
      let sent = 0;
      const tick = (): void => {
        while (!over && sent < ((performance.now() - begin) * rate) / 1000)
          openIdle().send(begin + (sent++ * 1000) / rate);
        if (!over) setTimeout(tick, 1);
      };
      tick();
    } else
      first.forEach((connection, index) => {
        setTimeout(() => connection.send(), mode === 'streams' ? (index * 500) / connections : 0);
      });
    if (reportSeconds !== undefined)
      setInterval(() => {
        const report: LoadReport = { period: period.result() };
        process.stdout.write(`${JSON.stringify(report)}\n`);
        period = new Tally();
      }, reportSeconds * 1000).unref();
    setTimeout(
      async () => {
        over = true;
        if (mode === 'open') total.failed(await unanswered(all));
        resolve(total.result());
      },
      (uncountedSeconds + seconds) * 1000,
    );
  });

/** The maximum share of held streams that may end before their first text. Each of them is opened again, as a client would do. */
const maxEndedShare = 0.01;

const hold = async (options: LoadOptions): Promise<void> => {
  const { port } = options;
  const quiet = { port, next: toRequests(options), received: () => {}, done: () => {} };
  const held: Connection[] = [];
  for (let at = 0; at < options.connections; at += 1) {
    const connection = new Connection(quiet);
    held.push(connection);
    connection.send();
    if (at % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const isEnded = ({ busy, contentAt }: Connection): boolean => !busy && contentAt === 0;
  let ended = 0;
  while (held.some(({ contentAt }) => contentAt === 0)) {
    for (const [at, connection] of held.entries()) {
      if (!isEnded(connection)) continue;
      ended += 1;
      held[at] = new Connection(quiet);
      held[at].send();
    }
    if (ended > options.connections * maxEndedShare)
      throw new Error(`${ended} of ${options.connections} streams ended before their first text.`);
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
