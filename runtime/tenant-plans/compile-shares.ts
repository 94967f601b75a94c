import { LRUCache } from 'lru-cache';
import { maxQueuedClaims } from '../../plugins/sdk/fairness/fair-pool.ts';
import type { Cancellation } from '../../plugins/sdk/http/http.ts';
import { neverCancelled } from '../../plugins/sdk/time/cancellation.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';

/** The sender of a request with a config. */
export interface ConfigSender {
  readonly principal: { readonly tenant: string };
  readonly cancellation: Cancellation;
}

/** Runs something, and counts the time until it returns for the tenant that compiles. */
export type Timed = <Result>(run: () => Result) => Result;

/** Counts for nobody. */
export const untimed: Timed = (run) => run();

/** Work that runs once its tenant has time again. */
interface Waiting {
  begin(): void;
}

/** A tenant compiles for one of this many milliseconds. */
const share = 4;
/** How many milliseconds of compiling a tenant may have at once, after it has had none for a while. */
const burstMs = 50;
/** The maximum number of tenants whose times are remembered. */
const maxTenants = 10_000;

/**
 * Limits the time that the event loop spends compiling the configs of one tenant, those that its callers bring and those that it
 * saves, to a quarter, like everything that tenants share. Further work waits, and a tenant with too much waiting work is
 * refused. If there is only one tenant, nothing is limited.
 */
export class CompileShares {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  /** When the time that a tenant has used for compiling is paid back. */
  readonly #paidAt = new LRUCache<string, number>({ max: maxTenants });
  readonly #waiting = new Map<string, Set<Waiting>>();
  #isTiming = false;

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>) {
    this.#clock = clock;
  }

  /**
   * Compiles now if the tenant has time for it. Work after an await counts if it runs in `timed`. Rejects with the `GatewayError`
   * `queue-full`.
   */
  run<Result>(sender: ConfigSender, compile: (timed: Timed) => Result | Promise<Result>): Result | Promise<Result> {
    const { tenant } = sender.principal;
    if (tenant === '') return compile(untimed);
    const queue = this.#waiting.get(tenant);
    if (queue === undefined && this.#waitMs(tenant) === 0) return this.#begin(tenant, compile);
    return this.#enqueue(sender, queue ?? this.#open(tenant), compile);
  }

  /** Does the same for what a tenant has saved. Others may still wait for it when the first requester has left. */
  runSaved<Result>(tenant: string, compile: (timed: Timed) => Result | Promise<Result>): Result | Promise<Result> {
    return this.run({ principal: { tenant }, cancellation: neverCancelled }, compile);
  }

  /** Returns how long until the tenant may compile again. */
  #waitMs(tenant: string): number {
    const debt = (this.#paidAt.get(tenant) ?? 0) - this.#clock.monotonic();
    return Math.max(0, debt - (share - 1) * burstMs);
  }

  #begin<Result>(tenant: string, compile: (timed: Timed) => Result): Result {
    const timed: Timed = (run) => this.#time(tenant, run);
    return timed(() => compile(timed));
  }

  #time<Result>(tenant: string, run: () => Result): Result {
    // This time is part of what is already counted.
    if (this.#isTiming) return run();
    this.#isTiming = true;
    const begun = this.#clock.monotonic();
    try {
      return run();
    } finally {
      this.#isTiming = false;
      const took = this.#clock.monotonic() - begun;
      this.#paidAt.set(tenant, Math.max(begun, this.#paidAt.get(tenant) ?? 0) + share * took);
    }
  }

  #enqueue<Result>(
    { principal: { tenant }, cancellation }: ConfigSender,
    queue: Set<Waiting>,
    compile: (timed: Timed) => Result | Promise<Result>,
  ): Promise<Result> {
    const full = () => gatewayError('queue-full', { what: 'configs that are compiled', max: maxQueuedClaims });
    if (queue.size >= maxQueuedClaims) return Promise.reject(full());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: () => {
          stopListening();
          // An error is passed on to the caller.
          new Promise<Result>((settle) => settle(this.#begin(tenant, compile))).then(resolve, reject);
        },
      };
      queue.add(waiting);
      const stopListening = cancellation.onCancel(() => {
        queue.delete(waiting);
        // A requester that has left gets no answer.
        reject(full());
      });
    });
  }

  #open(tenant: string): Set<Waiting> {
    const queue = new Set<Waiting>();
    this.#waiting.set(tenant, queue);
    this.#awaitTurn(tenant, queue);
    return queue;
  }

  #awaitTurn(tenant: string, queue: Set<Waiting>): void {
    this.#clock.after(Math.ceil(this.#waitMs(tenant)), () => {
      const [first] = queue;
      if (first === undefined) {
        this.#waiting.delete(tenant);
        return;
      }
      queue.delete(first);
      first.begin();
      this.#awaitTurn(tenant, queue);
    });
  }
}
