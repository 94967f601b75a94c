import { spawn } from 'node:child_process';

/** A server that an example started. */
export interface Serving {
  readonly port: string;
  readonly pid: number | undefined;
  /** Resolves with its status when it has ended, whoever ended it. */
  readonly ended: Promise<number>;
  /** Tells it to stop and waits for that; gives what it printed and how it ended. */
  stop(): Promise<{ readonly status: number; readonly output: string }>;
}

/** A server that ended before it listened, with what it printed. */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly';
  readonly output: string;

  constructor(code: number, output: string) {
    super(`It ended with ${code} before it listened:\n${output}`);
    this.output = output;
  }
}

/** Runs a command until it says where it listens. Rejects with `EndedEarly` where it ends before. */
export const serveLine = (
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Serving> =>
  new Promise((resolve, reject) => {
    // The shell hands itself over, so that a signal reaches the server; env takes the assignments before a command.
    // npx hands no signal on, and ends by it: as in a terminal, all processes of its group get it.
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
