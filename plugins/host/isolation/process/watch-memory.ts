import { residentBytes } from './resident-bytes.ts';

export interface WatchMemoryOptions {
  readonly pid: number;
  readonly maxBytes: number;
  /** Called once. */
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
