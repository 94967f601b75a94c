import { spawn } from 'node:child_process';

/** A server that an example has started. */
export interface Serving {
  readonly port: string;
  readonly pid: number | undefined;
  /** Resolves with its exit status when it has ended, for whatever reason. */
  readonly ended: Promise<number>;
  /** Stops it and waits until it has ended. Returns its output and how it ended. */
  stop(): Promise<{ readonly status: number; readonly output: string }>;
}

/** A server that ended before it listened, with its output. */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly';
  readonly output: string;

  constructor(code: number, output: string) {
    super(`It ended with ${code} before it listened:\n${output}`);
    this.output = output;
  }
}

/** Runs a command until it prints its address. Rejects with `EndedEarly` if it ends before that. */
export const serveLine = (
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Serving> =>
  new Promise((resolve, reject) => {
    // The shell replaces itself with the server, so that signals reach it. `env` handles the assignments before a command. npx
    // does not forward signals and is ended by them, so all processes in its group get the signal, as in a terminal.
    const detached = /\bnpx\b/.test(line);
    const child = spawn('sh', ['-c', `exec env ${line}`], { cwd, env, detached, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const ended = new Promise<number>((done) =>
      child.once('close', (code, signal) => done(code ?? (detached && signal === 'SIGTERM' ? 0 : -1))),
    );
    const look = (part: unknown): void => {
      output += part;
      const port = /https?:\/\/[^/\s]+:(\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      const stop = async (): ReturnType<Serving['stop']> => {
        if (detached && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
        else child.kill('SIGTERM');
        return { status: await ended, output };
      };
      resolve({ port, pid: child.pid, ended, stop });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void ended.then((code) => reject(new EndedEarly(code, output)));
  });
