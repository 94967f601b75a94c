import type { Clock } from '../sdk/clock.ts';
import type { Exchange } from '../sdk/exchange/exchange.ts';
import type { Rank } from '../sdk/overload/priority-rank.ts';
import { type Waiter, WaitingLine } from './waiting-line.ts';

export interface AdmissionQueueOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** The maximum time that a request waits, in milliseconds. */
  readonly waitMs: number;
  /** Calls `run` in the next turn of the event loop, after incoming data was read. */
  readonly nextTurn: (run: () => void) => void;
}

/** Starts a request whose turn has come or whose client has disconnected, or refuses it. */
export type Decide = (decision: 'begin' | 'refuse') => void;

interface Waiting extends Waiter {
  readonly since: number;
  readonly decide: Decide;
}

/** A request that waits here holds only what the system has read of it, which is not counted. */
const bounds = { size: 1000, bytes: 0 };
/** The target duration of a turn of the event loop, in milliseconds. */
const turnMs = 10;
/** The maximum number of requests that start in one turn. */
const maxBatch = 64;

/**
 * Holds requests that are admitted but have not started, in the order of their priority. Each turn of the event loop starts only
 * as many as keep it short. Incoming data is read in between, so a request of high priority need not wait until those that
 * arrived before it are served.
 */
export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions;
  readonly #line = new WaitingLine<Waiting>(bounds);
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();
  #batch = 1;
  #begun = 0;
  #turnBeganAt = 0;
  #isScheduled = false;

  constructor(options: AdmissionQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#line.length;
  }

  /** Returns for how many milliseconds the first request has waited, overall and of high priority. */
  waitedMs(): { readonly all: number; readonly high: number } {
    const now = this.#options.clock.monotonic();
    const waited = (first: Waiting | undefined): number => (first === undefined ? 0 : now - first.since);
    const [first] = this.#waiting;
    return { all: waited(first), high: waited([...this.#waiting].find(({ rank }) => rank === 2)) };
  }

  add({ principal, cancellation }: Pick<Exchange, 'principal' | 'cancellation'>, rank: Rank, decide: Decide): void {
    if (cancellation.cancelled) {
      decide('begin');
      return;
    }
    const waiter = { rank, tenant: principal.tenant, bytes: 0 };
    const displaced = this.#line.makesRoom(waiter);
    if (displaced === undefined) {
      decide('refuse');
      return;
    }
    for (const other of displaced) other.decide('refuse');
    this.#wait(waiter, cancellation, decide);
    this.#schedule();
  }

  #wait(waiter: Waiter, cancellation: Exchange['cancellation'], decide: Decide): void {
    const { clock, waitMs } = this.#options;
    const waiting: Waiting = {
      ...waiter,
      since: clock.monotonic(),
      decide: (decision) => {
        stopTimer();
        stopListening();
        this.#line.remove(waiting);
        this.#waiting.delete(waiting);
        decide(decision);
      },
    };
    this.#line.add(waiting);
    this.#waiting.add(waiting);
    const stopTimer = clock.after(waitMs, () => waiting.decide('refuse'));
    const stopListening = cancellation.onCancel(() => waiting.decide('begin'));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const now = this.#options.clock.monotonic();
    if (this.#begun > 0) this.#adapt(now - this.#turnBeganAt);
    this.#turnBeganAt = now;
    this.#begun = 0;
    while (this.#begun < this.#batch) {
      const next = this.#line.next();
      if (next === undefined) return;
      this.#begun += 1;
      next.decide('begin');
    }
    if (this.length > 0) this.#schedule();
  }

  /** Starts more requests per turn, or fewer, depending on how long the last turn took in total. */
  #adapt(tookMs: number): void {
    if (tookMs > turnMs) this.#batch = Math.max(1, Math.floor(this.#batch / 2));
    else if (tookMs < turnMs / 2 && this.#begun === this.#batch) this.#batch = Math.min(maxBatch, this.#batch * 2);
  }
}
