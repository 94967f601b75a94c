import { spawn } from 'node:child_process';
import path from 'node:path';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The folders of `PATH` that no package has put there. */
export const machinePath = (): readonly string[] =>
  (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.split(path.sep).includes('node_modules'));

/** As a stranger's shell has it: this Node first, and nothing of this repository or of the npm that runs its scripts. */
export const strangersEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|vitest|node_)/i.test(name))),
  PATH: [path.dirname(process.execPath), ...machinePath()].join(path.delimiter),
});

/** Runs a command in a folder to its end, with a stranger's environment unless another is given. */
export const runCommand = (
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env = strangersEnvironment() }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ status: code ?? -1, stdout, stderr }));
  });
