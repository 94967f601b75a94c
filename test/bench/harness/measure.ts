import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { LoadOptions, LoadReport, LoadResult } from './load.ts';

const here = import.meta.dirname;
/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** How long a server may take to answer and to exit, on a machine that others also use. */
const longestStartMs = 30_000;
const longestEndMs = 10_000;

/** A server under measurement. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first 200. */
  readonly startMs: number;
  /** Measures the bytes that the server allocates while `work` runs. Only for servers started with the allocation probe. */
  allocated(work: () => Promise<void>): Promise<number>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  readonly port: number;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The request whose 200 shows that the server is ready. */
  readonly probe: ProbeOptions;
  /** Whether to load the probe that counts allocations. Its sampling costs time. */
  readonly countsAllocations?: boolean;
  /** Whether to keep V8's default flags, apart from those in the arguments; false if absent. */
  readonly hasDefaultFlags?: boolean;
}

export interface ProbeOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const probe = (port: number, { method, path: at, headers = {}, body }: ProbeOptions): Promise<number> =>
  new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path: at, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });

/**
 * A flag that the gateway sets itself. The other servers get it too, so that a ratio compares their work and not V8's heuristics.
 */
const sameHeap = ['--no-allocation-site-pretenuring'];
const allocationProbe = ['--import', path.join(here, 'allocation-probe.ts')];

const answerTo = (child: ChildProcess, message: string): Promise<unknown> =>
  new Promise((resolve) => {
    child.once('message', resolve);
    child.send(message);
  });

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/** Starts a server and waits for its first 200. If the server exits before that, throws an error with its output. */
export const startServer = async (options: ServerOptions): Promise<Server> => {
  const { name, port, args, env = {}, probe: wanted, countsAllocations = false, hasDefaultFlags = false } = options;
  const begun = performance.now();
  const flags = [...(hasDefaultFlags ? [] : sameHeap), ...(countsAllocations ? allocationProbe : [])];
  const child = spawn(process.execPath, [...flags, ...args], {
    env: { ...process.env, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(countsAllocations ? (['ipc'] as const) : [])],
  });
  let printed = '';
  child.stdout?.on('data', (text) => (printed = `${printed}${text}`.slice(-2000)));
  child.stderr?.on('data', (text) => (printed = `${printed}${text}`.slice(-2000)));
  while ((await probe(port, wanted)) !== 200) {
    if (child.exitCode !== null || performance.now() - begun > longestStartMs) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not start within ${longestStartMs} ms. It had printed: ${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return {
    name,
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - begun,
    allocated: async (work) => {
      await answerTo(child, 'begin');
      await work();
      return ((await answerTo(child, 'end')) as { readonly allocated: number }).allocated;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const force = setTimeout(() => {
        process.stderr.write(
          `${name} did not end within ${longestEndMs} ms, and was killed. It had printed: ${printed}\n`,
        );
        child.kill('SIGKILL');
      }, longestEndMs);
      await exited(child);
      clearTimeout(force);
    },
  };
};

const toMicros = (file: string): number => {
  const stat = readFileSync(file, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (((user ?? 0) + (system ?? 0)) * 1e6) / ticksPerSecond;
};

/** Returns the CPU time of all threads of a process, in microseconds. */
export const cpuMicros = (pid: number): number => toMicros(`/proc/${pid}/stat`);

/**
 * Returns the CPU time of the main thread, which serves requests, in microseconds. It has the kernel's nanosecond resolution;
 * with ticks, the error would be 4 µs a request.
 */
export const servingMicros = (pid: number): number => {
  const [nanos] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanos) / 1000;
};

/**
 * Returns the CPU time of all threads of a process that still exist, in microseconds, with the kernel's nanosecond resolution.
 */
export const threadMicros = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanos] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanos) / 1000;
  }, 0);

const quietMs = 200;
const longestQuietMs = 15_000;

/** Waits until a process has finished its work, so that deferred work counts too. */
export const untilQuiet = async (pid: number): Promise<void> => {
  const until = performance.now() + longestQuietMs;
  for (let before = cpuMicros(pid); performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const now = cpuMicros(pid);
    // Timers may take up to a twentieth of a core.
    if (now - before <= (quietMs * 1000) / 20) return;
    before = now;
  }
};

/** Returns the resident memory of a process in megabytes. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

/** Returns how many file descriptors a process has open. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const loadProcess = (options: LoadOptions): ChildProcess =>
  spawn(process.execPath, [path.join(here, 'load.ts'), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Resolves with the first line of output. Rejects if the process exits without one; its standard error contains the reason. */
const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', (code) => reject(new Error(`The load ended with the exit code ${code}.`)));
  });

/** Puts load on a server from a separate process. */
export const putLoad = async (options: LoadOptions): Promise<LoadResult> => {
  const child = loadProcess(options);
  const line = await firstLine(child);
  await exited(child);
  return JSON.parse(line);
};

/**
 * Puts load on a server like `putLoad`, and also reports the result of each period of `reportSeconds`. Resolves with the total
 * result.
 */
export const putReportedLoad = async (
  options: LoadOptions & { readonly reportSeconds: number },
  report: (period: LoadResult) => Promise<void>,
): Promise<LoadResult> => {
  const child = loadProcess(options);
  if (child.stdout === null) throw new Error('The load has no standard output.');
  for await (const line of createInterface(child.stdout)) {
    const printed: LoadResult | LoadReport = JSON.parse(line);
    if (!('period' in printed)) return printed;
    await report(printed.period);
  }
  throw new Error(`The load ended with the exit code ${child.exitCode}.`);
};

/** Opens streams and keeps them open until the returned function is called. */
export const holdStreams = async (options: LoadOptions): Promise<() => Promise<void>> => {
  const child = loadProcess({ ...options, mode: 'hold' });
  await firstLine(child);
  return async () => {
    child.stdin?.end();
    await exited(child);
  };
};

export const median = (values: readonly number[]): number => {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};
