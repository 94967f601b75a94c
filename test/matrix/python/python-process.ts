import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { AskOptions } from '../clients/client-driver.ts';
import type { Received, Scenario } from '../scenario.ts';

interface Request {
  /** A module in `clients`. */
  readonly module: string;
  readonly scenario: Scenario;
  readonly options: AskOptions;
}

interface Reply {
  readonly id: number;
  readonly received?: Received;
  /** The traceback of an unexpected exception. */
  readonly failure?: string;
}

/** `serve.py` in a separate process. */
export interface PythonProcess {
  ask(request: Request): Promise<Received>;
  /** Stops the process. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts the process with the modules of all clients. */
export const startPython = (program: string, modules: readonly string[]): PythonProcess => {
  const child = spawn(program, [path.join(import.meta.dirname, 'serve.py'), ...modules], {
    // Otherwise LiteLLM loads its prices from the network.
    env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True', PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const open = new Map<number, PromiseWithResolvers<Received>>();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, received, failure = 'It said nothing.' }: Reply = JSON.parse(line);
    if (received === undefined) open.get(id)?.reject(new Error(failure));
    else open.get(id)?.resolve(received);
    open.delete(id);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      for (const { reject } of open.values()) reject(new Error('Python has ended.'));
      resolve();
    });
  });
  return {
    ask: (request) => {
      last += 1;
      const reply = Promise.withResolvers<Received>();
      open.set(last, reply);
      child.stdin.write(`${JSON.stringify({ id: last, ...request })}\n`);
      return reply.promise;
    },
    stop: () => {
      child.stdin.end();
      return ended;
    },
  };
};
