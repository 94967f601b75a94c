import { type ChildProcess, fork } from 'node:child_process';

/** The variable by which a process recognises that it is a worker: the process id of its owner. */
const ownerVariable = 'GW_WORKER_OF';

/**
 * Starts this program again as a worker, with these arguments of `gw serve`. What the worker writes to its own streams is printed
 * here.
 */
export const forkWorker = (argv: readonly string[]): ChildProcess => {
  const [, program = ''] = process.argv;
  return fork(program, ['serve', ...argv], {
    env: { ...process.env, [ownerVariable]: String(process.pid) },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
};
