import { spawn } from 'node:child_process';

/** Runs a program to its end. Rejects with its standard error output if it fails. */
export const runProgram = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env } as NodeJS.ProcessEnv, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${errors}`))));
  });
