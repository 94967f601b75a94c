import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { LoadOptions, LoadReport, LoadResult } from './load.ts';

const here = import.meta.dirname;
/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** How long a server may take to answer, and to end, on a machine that others use too. */
const longestStartMs = 30_000;
const longestEndMs = 10_000;

/** A server under measurement. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from its start to its first 200. */
  readonly startMs: number;
  /** Bytes that it allocates while the work runs; only of one that was started with the allocation probe. */
  allocated(work: () => Promise<void>): Promise<number>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  readonly port: number;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The request whose 200 says that it serves. */
  readonly probe: ProbeOptions;
  /** Loads the probe that counts allocations; its sampling costs time. */
  readonly countsAllocations?: boolean;
  /** Leaves V8's flags as they are where the arguments name none; false if absent. */
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

/** The gateway sets this itself. The others get it too, so that a ratio compares what they do and not V8's guesses. */
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

/** Starts a server and waits for its first 200; throws with what it printed if it ends before. */
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

/** CPU time a process has used, all threads, in microseconds. */
export const cpuMicros = (pid: number): number => toMicros(`/proc/${pid}/stat`);

/** CPU time of its main thread, which serves requests; in nanoseconds where the kernel has it, where ticks would be 4 µs a request. */
export const servingMicros = (pid: number): number => {
  const [nanos] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanos) / 1000;
};

/** CPU time that all threads of a process have used which are still there, in nanoseconds where the kernel has it. */
export const threadMicros = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanos] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanos) / 1000;
  }, 0);

const quietMs = 200;
const longestQuietMs = 15_000;

/** Waits until a process has nothing left to do of what it was asked, so that work it put off counts too. */
export const untilQuiet = async (pid: number): Promise<void> => {
  const until = performance.now() + longestQuietMs;
  for (let before = cpuMicros(pid); performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const now = cpuMicros(pid);
    // A twentieth of a core, which timers may take.
    if (now - before <= (quietMs * 1000) / 20) return;
    before = now;
  }
};

/** Resident memory of a process in megabytes. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

/** How many file descriptors a process has open. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const loadProcess = (options: LoadOptions): ChildProcess =>
  spawn(process.execPath, [path.join(here, 'load.ts'), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Rejects where the process ends without one; what it says of that is on standard error. */
const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', (code) => reject(new Error(`The load ended with the exit code ${code}.`)));
  });

/** Puts load on a server from a process of its own. */
export const putLoad = async (options: LoadOptions): Promise<LoadResult> => {
  const child = loadProcess(options);
  const line = await firstLine(child);
  await exited(child);
  return JSON.parse(line);
};

/** Puts load on a server as `putLoad` does, and reports what came of each `reportSeconds` of it; resolves with what came of all. */
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
