import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { CompileThreads } from '../../compiler/cli/command-line/compile-threads.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { ownModule } from '../../plugins/sdk/loading/own-module.ts';
import { startOwnThread } from '../../plugins/sdk/loading/own-thread.ts';
import type { FromCompileThread, ThreadJob, ThreadStart } from './messages.ts';

/** The size of the memory for new objects, because trees of configs live for as long as a config is compiled. */
const youngMb = 32;

/** A thread, and the callers that wait for its answers. It answers in the order of the requests. */
class CompileThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<unknown>[] = [];
  #failure: Error | undefined;

  constructor(start: ThreadStart) {
    this.#worker = startOwnThread(ownModule('gw/compile-thread'), {
      name: 'gatewright-compile',
      workerData: start,
      youngMb,
    });
    // The command may end while threads are idle.
    this.#worker.unref();
    this.#worker.on('message', (message: FromCompileThread) => this.#take(message));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`A thread that compiles ended with ${code}.`)));
  }

  get load(): number {
    return this.#waiting.length;
  }

  ask(job: ThreadJob): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const asked = Promise.withResolvers<unknown>();
    this.#waiting.push(asked);
    this.#worker.ref();
    this.#worker.postMessage(job);
    return asked.promise;
  }

  #take(message: FromCompileThread): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if (message.kind === 'done') asked?.resolve(message.result);
    else asked?.reject(message.kind === 'refused' ? new UsageError(message.message, message.hint) : message.error);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const asked of this.#waiting.splice(0)) asked.reject(this.#failure);
  }
}

/** Starts one thread per processor, each when it is first needed. They end with the process. */
export const createCompileThreads = (start: ThreadStart): CompileThreads => {
  const count = availableParallelism();
  const threads: CompileThread[] = [];
  const ask = (job: ThreadJob): Promise<unknown> => {
    const idle = threads.find(({ load }) => load === 0);
    if (idle !== undefined) return idle.ask(job);
    if (threads.length < count) {
      const thread = new CompileThread(start);
      threads.push(thread);
      return thread.ask(job);
    }
    return threads.reduce((min, thread) => (thread.load < min.load ? thread : min)).ask(job);
  };
  return {
    count,
    compile: (config) => ask({ kind: 'compile', config }) as ReturnType<CompileThreads['compile']>,
    emit: (plan) => ask({ kind: 'emit', plan }) as ReturnType<CompileThreads['emit']>,
  };
};
