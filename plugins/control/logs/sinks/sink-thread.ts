import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../../sdk/clock.ts';
import type { SinkStatus } from '../../../sdk/control-plane/store-status.ts';
import { startOwnThread } from '../../../sdk/loading/own-thread.ts';
import type { SinkEntry } from '../../../sdk/sink/sink-entry.ts';
import { StoreError } from '../../kernel/store/store.ts';
import { waitAtMost } from '../../kernel/store/wait-at-most.ts';
import { countNames, type FromSinks, type RecordsMessage, type SinkThreadStart, type ToSinks } from './messages.ts';

export interface SinkThreadOptions {
  /** The module that the thread runs. */
  readonly module: URL;
  readonly entries: readonly SinkEntry[];
  readonly trustedHosts: readonly string[];
  readonly egress?: SinkThreadStart['egress'];
  readonly clock: Pick<Clock, 'after'>;
  /** Reports to the operator, one line at a time. */
  readonly say: (text: string) => void;
}

type Counts = Pick<SinkStatus, (typeof countNames)[number]>;

/** The pause before a thread that has ended by itself is restarted, in milliseconds. */
const restartMs = 5000;

/**
 * The thread that runs the sinks. If it ends by itself, which a plugin can cause, it is restarted, and the records in it are
 * counted as dropped.
 */
export class SinkThread {
  readonly #options: SinkThreadOptions;
  readonly #failing: (string | undefined)[];
  /** The counts of the threads before the current one. */
  readonly #before: readonly { [Name in keyof Counts]: number }[];
  #shared: Float64Array = new Float64Array();
  #worker: Worker | undefined;
  #isClosing = false;
  #closed: (() => void) | undefined;
  /** Settles the batches that were posted and are not queued yet, the oldest first. */
  #posted: ((isQueued: boolean) => void)[] = [];

  constructor(options: SinkThreadOptions) {
    this.#options = options;
    this.#failing = options.entries.map(() => undefined);
    this.#before = options.entries.map(() => ({
      ...{ waiting: 0, delivered: 0, dropped: 0, refused: 0, expired: 0, retries: 0 },
    }));
  }

  /** Resolves when all sinks are open. Rejects with a `StoreError`. */
  async start(): Promise<this> {
    const { module, entries, trustedHosts, egress } = this.#options;
    const counts = new SharedArrayBuffer(entries.length * countNames.length * Float64Array.BYTES_PER_ELEMENT);
    this.#shared = new Float64Array(counts);
    const start: SinkThreadStart = { entries, trustedHosts, ...(egress && { egress }), counts };
    const worker = startOwnThread(module, { name: 'gatewright-sinks', workerData: start });
    const ready = Promise.withResolvers<void>();
    worker.on('message', (message: FromSinks) => this.#receive(message, ready));
    worker.on('error', (error: Error) =>
      ready.reject(new StoreError(`The sinks of the log have failed: ${error.message}`)),
    );
    worker.on('exit', () => {
      ready.reject(new StoreError("The thread of the log's sinks ended before it was ready."));
      if (this.#worker === worker) this.#ended();
    });
    await ready.promise;
    this.#worker = worker;
    // The thread does not keep the process from ending.
    worker.unref();
    return this;
  }

  /** Resolves to true when the batch is queued; to false if there is no thread, or if the thread ends before that. */
  async post(message: RecordsMessage): Promise<boolean> {
    const worker = this.#worker;
    if (worker === undefined) return false;
    worker.postMessage(message);
    return new Promise((resolve) => void this.#posted.push(resolve));
  }

  status(sink: number): Counts & { readonly failing?: string } {
    const failing = this.#failing[sink];
    const counts = {
      ...(this.#before[sink] as Counts),
      ...this.#counts(sink, (name) => this.#before[sink]?.[name] ?? 0),
    };
    return failing === undefined ? counts : { ...counts, failing };
  }

  /** Makes the sinks send what they have, for at most `graceMs`, and ends the thread at most `moreMs` later. */
  async close(graceMs: number, moreMs: number): Promise<void> {
    this.#isClosing = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    worker.postMessage({ kind: 'close', graceMs } satisfies ToSinks);
    await waitAtMost([promise], graceMs + moreMs);
    this.#ended();
    await worker.terminate();
  }

  /** Returns the counts of the current thread, each added to its value before. */
  #counts(sink: number, before: (name: keyof Counts) => number): Counts {
    const first = sink * countNames.length;
    const read = (name: keyof Counts): number => (this.#shared[first + countNames.indexOf(name)] ?? 0) + before(name);
    return {
      waiting: read('waiting'),
      delivered: read('delivered'),
      dropped: read('dropped'),
      refused: read('refused'),
      expired: read('expired'),
      retries: read('retries'),
    };
  }

  #receive(message: FromSinks, ready: PromiseWithResolvers<void>): void {
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'failed') ready.reject(new StoreError(message.reason));
    else if (message.kind === 'taken') this.#posted.shift()?.(true);
    else if (message.kind === 'state') this.#failing[message.sink] = message.failing;
    else this.#closed?.();
  }

  /** Stores the counts of a thread that has ended, and counts its waiting records as lost. */
  #ended(): void {
    this.#worker = undefined;
    for (const [sink, before] of this.#before.entries()) {
      const { waiting, ...counts } = this.#counts(sink, (name) => before[name]);
      Object.assign(
        before,
        counts,
        this.#isClosing ? { expired: counts.expired + waiting } : { dropped: counts.dropped + waiting },
      );
    }
    this.#shared = new Float64Array();
    for (const settle of this.#posted.splice(0)) settle(false);
    if (this.#isClosing) return;
    this.#options.say(
      "gw: The thread of the log's sinks has ended, and the records that waited there are lost. It is restarted.\n",
    );
    this.#startAgain();
  }

  #startAgain(): void {
    this.#options.clock.after(restartMs, () => {
      if (this.#isClosing) return;
      this.start().catch((error: Error) => {
        this.#options.say(`gw: ${error.message}\n`);
        this.#startAgain();
      });
    });
  }
}
