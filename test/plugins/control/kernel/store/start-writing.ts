import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./writing-process.ts', import.meta.url));

export interface WritingProcess {
  /** The lines that it has printed: `open`, then the number of each pair that was written. */
  readonly lines: readonly string[];
  /** Resolves when it has printed `count` lines. */
  printed(count: number): Promise<void>;
  /** Kills it (SIGKILL), and resolves when it has exited. */
  kill(): Promise<void>;
}

/** Starts a process that serves the store and writes until it is killed. */
export const startWriting = (url: string, first = 0): WritingProcess => {
  const child = spawn(process.execPath, [script, url, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const closed = once(reader, 'close');
  reader.on('line', (line) => lines.push(line));
  return {
    lines,
    async printed(count) {
      while (lines.length < count)
        await Promise.race([once(reader, 'line'), exited.then(() => Promise.reject(ended()))]);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
      await closed;
    },
  };
};

const ended = (): Error => new Error('The process that writes has ended.');
