import { spawn } from 'node:child_process';
import { cleanEnvironment } from './clean-environment.ts';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a folder until it ends, by default with a third party's environment. */
export const runCommand = (
  [program, ...args]: readonly [string, ...string[]],
  {
    cwd,
    env = cleanEnvironment(),
    input,
  }: {
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    /** The standard input. Empty if absent. */
    readonly input?: string;
  },
): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    // A command that does not read it may already have ended.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
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
