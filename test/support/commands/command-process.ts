import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CommandResult } from './run-command.ts';

export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All environment variables of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A process that runs `gw` commands one after another, because its start takes longer than most of them. */
export interface CommandProcess {
  run(command: Command): Promise<CommandResult>;
  /** Stops the process if it is still running. */
  stop(): Promise<void>;
}

/** Starts a process from the sources, optionally as another user. */
export const startCommands = (user: { readonly uid?: number; readonly gid?: number } = {}): CommandProcess => {
  const child = fork(import.meta.filename, { ...user, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      printed += part;
    });
  const exited = once(child, 'exit');
  let last: Promise<unknown> = Promise.resolve();
  const runNow = (command: Command): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error(`The process of the commands ended:\n${printed}`));
      child.once('exit', ended);
      child.once('message', (result) => {
        child.off('exit', ended);
        resolve(result as CommandResult);
      });
      child.send(command, (error) => {
        if (error !== null) reject(error);
      });
    });
  return {
    run(command) {
      const result = last.then(() => runNow(command));
      last = result.catch(() => {});
      return result;
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const runHere = async ({ argv, cwd, env }: Command): Promise<CommandResult> => {
  const [{ nodeIo }, { main }] = await Promise.all([
    import('../../../compiler/cli/files/node-io.ts'),
    import('../../../gw.ts'),
  ]);
  for (const name of Object.keys(process.env)) delete process.env[name];
  // A variable set to undefined would have that word as its text.
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  process.chdir(cwd);
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const out = { colour: false, write: (text: string) => void stdout.push(text) };
  const err = { colour: false, write: (text: string) => void stderr.push(text) };
  const status = await main(argv, nodeIo({ cwd, out, err }));
  return { status, stdout: stdout.join(''), stderr: stderr.join('') };
};

// This file is also the program of that process.
if (import.meta.main) process.on('message', async (command: Command) => process.send?.(await runHere(command)));
