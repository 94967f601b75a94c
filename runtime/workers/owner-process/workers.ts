import type { Clock } from '../../ports/clock.ts';
import type { Listens } from '../calls.ts';
import type { WorkersStatus } from './merge-readiness.ts';
import { RestartDelays } from './restart-delays.ts';
import { endText, type WorkerEnd, WorkerFailure, type WorkerProcess } from './worker-process.ts';

/** The maximum number of failed starts in a row while none serves: the cause will not go away by itself. */
const maxFailedStarts = 5;
/** How much longer than it drains a worker may take to end. */
const overtimeMs = 5000;

export interface WorkersOptions {
  readonly count: number;
  readonly clock: Clock;
  /** Starts a worker. */
  readonly start: (worker: number) => WorkerProcess;
  /** Admits a listening worker to the shared state. Rejects if it cannot take part. */
  readonly admit: (worker: WorkerProcess, listens: Listens, admitted: () => void) => Promise<void>;
  /** Called when a worker has ended. */
  readonly left: (worker: WorkerProcess) => void;
  /** Called if no worker can be started any more. */
  readonly failed: (reason: string) => void;
  readonly drainMs: number;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

const hasEnded = ({ state }: WorkerProcess): boolean => state === 'ended';

/**
 * The workers of a gateway: as many as configured, a replacement for each that ends, and replacing all of them one by one on
 * demand.
 */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #running = new Set<WorkerProcess>();
  readonly #admitted = new Set<WorkerProcess>();
  readonly #delays = new RestartDelays();
  readonly #timers = new Set<() => void>();
  #lastId = 0;
  #crashed = 0;
  #failedStarts = 0;
  #lastFailure = '';
  #stoppingAt: number | undefined;
  #isReplacing = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** The workers that serve and take part in the shared state. */
  get serving(): readonly WorkerProcess[] {
    return [...this.#admitted].filter(({ state }) => state === 'serving');
  }

  /** All workers that have not ended. */
  get running(): readonly WorkerProcess[] {
    return [...this.#running];
  }

  get isStopping(): boolean {
    return this.#stoppingAt !== undefined;
  }

  /** How many milliseconds remain for the gateway to drain. None if it does not end by itself. */
  get drainLeftMs(): number {
    const { clock, drainMs } = this.#options;
    return this.#stoppingAt === undefined ? 0 : Math.max(0, this.#stoppingAt + drainMs - clock.monotonic());
  }

  status(): WorkersStatus {
    const { count, clock } = this.#options;
    const serving = this.serving.length;
    const counts = { wanted: count, serving, crashed: this.#crashed };
    if (serving >= count) return counts;
    const waits = this.#delays.isDelaying(clock.monotonic());
    const why = waits ? ` They crash repeatedly, so starts are delayed: ${this.#lastFailure}` : '';
    return { ...counts, reason: `${serving} of ${count} workers serve.${why}` };
  }

  /** Starts one worker, and when that one listens, all others. Rejects with a `WorkerFailure` if the first cannot start. */
  async start(): Promise<Listens> {
    const first = this.#startOne();
    const listens = await this.#join(first);
    this.#watch(first);
    const others = Array.from({ length: this.#options.count - 1 }, () => this.#startOne());
    await Promise.allSettled(
      others.map(async (worker) => {
        this.#watch(worker);
        await this.#join(worker);
      }),
    );
    return listens;
  }

  /** Replaces all running workers one by one. Each new worker listens before the previous one drains. */
  async replaceAll(): Promise<void> {
    const { log } = this.#options;
    if (this.#isReplacing || this.isStopping) return;
    this.#isReplacing = true;
    log('The workers are being replaced, one by one.');
    try {
      for (const before of this.serving) {
        if (this.isStopping) return;
        // Another one has taken its place.
        if (hasEnded(before)) continue;
        const next = this.#startOne();
        try {
          await this.#join(next);
        } catch (error) {
          log(`The workers are not replaced, because a new one cannot start. ${(error as Error).message}`);
          return;
        }
        this.#watch(next);
        // The same applies if it ended while this one started, which is then one too many.
        const replaced = hasEnded(before) ? next : before;
        replaced.retire();
        await this.#ended(replaced);
      }
      log('All workers were replaced.');
    } finally {
      this.#isReplacing = false;
    }
  }

  /** Drains all workers. Resolves to whether each ended well. */
  async stop(): Promise<boolean> {
    this.#stoppingAt ??= this.#options.clock.monotonic();
    for (const cancel of this.#timers) cancel();
    const ends = await Promise.all(
      this.running.map((worker) => {
        worker.stop();
        return this.#ended(worker);
      }),
    );
    return ends.every(({ code }) => code === 0);
  }

  /** Ends all workers immediately. */
  end(): void {
    this.#stoppingAt ??= this.#options.clock.monotonic();
    for (const worker of this.#running) worker.kill();
  }

  #startOne(): WorkerProcess {
    this.#lastId += 1;
    const worker = this.#options.start(this.#lastId);
    this.#running.add(worker);
    void worker.ended.then(() => {
      this.#running.delete(worker);
      this.#admitted.delete(worker);
      this.#options.left(worker);
    });
    return worker;
  }

  async #join(worker: WorkerProcess): Promise<Listens> {
    const listens = await worker.listens;
    try {
      await this.#options.admit(worker, listens, () => void this.#admitted.add(worker));
    } catch (error) {
      worker.kill();
      throw error;
    }
    this.#failedStarts = 0;
    return listens;
  }

  /** Replaces a worker if it ends unexpectedly. */
  #watch(worker: WorkerProcess): void {
    let failure: unknown;
    worker.listens.catch((error: unknown) => {
      failure = error;
      this.#failedStarts += 1;
    });
    void worker.ended.then((end) => {
      if (!worker.isMeantToEnd && !this.isStopping) this.#replace(worker, end, failure);
    });
  }

  #replace(worker: WorkerProcess, end: WorkerEnd, failure: unknown): void {
    const { clock, log, failed } = this.#options;
    this.#crashed += 1;
    const reason = failure instanceof WorkerFailure ? failure.message : `${endText(end)}.`;
    this.#lastFailure = reason;
    const { ms, begins } = this.#delays.crashed(clock.monotonic());
    if (this.#failedStarts >= maxFailedStarts && this.serving.length === 0) {
      failed(`No worker can be started. ${reason}`);
      return;
    }
    if (ms === 0) log(`Worker ${worker.id} (process ${worker.pid}) ended: ${reason} It is being replaced.`);
    else if (begins)
      log(
        `Worker ${worker.id} (process ${worker.pid}) ended: ${reason} Workers crash repeatedly, so starts are delayed.`,
      );
    const restart = (): void => {
      const next = this.#startOne();
      this.#watch(next);
      this.#join(next).catch(() => {});
    };
    if (ms === 0) restart();
    else {
      const cancel = clock.after(ms, () => {
        this.#timers.delete(cancel);
        restart();
      });
      this.#timers.add(cancel);
    }
  }

  /** Waits for a worker to end. Kills it if it takes longer than it may. */
  #ended(worker: WorkerProcess): Promise<WorkerEnd> {
    const { clock, drainMs } = this.#options;
    const cancel = clock.after(drainMs + overtimeMs, () => worker.kill());
    return worker.ended.finally(cancel);
  }
}
