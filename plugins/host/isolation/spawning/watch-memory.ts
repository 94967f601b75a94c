import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const kibibytes = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value * 1024 : undefined;
};

/** Linux reports the memory in a file (https://man7.org/linux/man-pages/man5/proc_pid_status.5.html). */
const fromProc = async (pid: number): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return kibibytes(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
};

const fromPs = async (pid: number): Promise<number | undefined> => {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return kibibytes(stdout.trim());
};

/**
 * Returns the memory that a process occupies, including buffers. Returns `undefined` if the process has ended, and on Windows,
 * where no fast way to query it is known.
 */
const residentBytes = async (pid: number): Promise<number | undefined> => {
  if (process.platform === 'win32') return undefined;
  try {
    return await (process.platform === 'linux' ? fromProc(pid) : fromPs(pid));
  } catch {
    return undefined;
  }
};

export interface WatchMemoryOptions {
  readonly pid: number;
  readonly maxBytes: number;
  /** Called once, when the process exceeds the limit. */
  readonly exceeded: (bytes: number) => void;
}

const everyMs = 50;

/** Watches the memory of a process. Returns a function that stops it. */
export const watchMemory = ({ pid, maxBytes, exceeded }: WatchMemoryOptions): (() => void) => {
  let stopped = false;
  const look = async (): Promise<void> => {
    const bytes = (await residentBytes(pid)) ?? 0;
    if (stopped) return;
    if (bytes > maxBytes) exceeded(bytes);
    else wait();
  };
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => void look(), everyMs).unref();
  };
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
};
