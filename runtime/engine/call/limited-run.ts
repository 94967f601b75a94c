import type {
  LimitedAttempt,
  LimitedPlan,
  LimitedRequest,
  Reservation,
} from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { reportFailure } from '../plugins/observe.ts';

/** Checks whether a request may be routed. Undefined if nothing is counted. */
export type RequestGate = (exchange: Exchange, plan: LimitedPlan) => MaybePromise<LimitedRun | undefined>;

export interface LimitedRunOptions {
  /** Whether a limit of the caller depends on the model. */
  readonly readsModels: boolean;
  readonly exchange: Exchange;
  /** Notified if a limiter throws where it must not. The request continues anyway. */
  readonly hooks: Hooks;
}

/** A reservation that ends once. Further calls have no effect. */
class OneEnd implements Reservation {
  readonly #run: LimitedRun;
  #reservation: Reservation | undefined;

  constructor(run: LimitedRun, reservation: Reservation) {
    this.#run = run;
    this.#reservation = reservation;
  }

  settle(usage: UsageRecord): void {
    const reservation = this.#reservation;
    if (reservation === undefined) return;
    this.#reservation = undefined;
    try {
      reservation.settle(usage);
    } catch (error) {
      this.#run.failed(error);
    }
    this.#run.leave();
  }

  release(): void {
    const reservation = this.#reservation;
    if (reservation === undefined) return;
    this.#reservation = undefined;
    try {
      reservation.release();
    } catch (error) {
      this.#run.failed(error);
    }
    this.#run.leave();
  }
}

/**
 * Counts one request for a limiter. Each reservation ends once, and the end of the request is reported once, after its answer and
 * all of its attempts.
 */
export class LimitedRun {
  readonly readsModels: boolean;
  readonly #limited: LimitedRequest;
  readonly #exchange: Exchange;
  readonly #hooks: Hooks;
  /** Counts the answer until it has ended, the open attempts, and calls that continue without the request. */
  #holds = 1;
  #isAnswered = false;

  constructor(limited: LimitedRequest, { readsModels, exchange, hooks }: LimitedRunOptions) {
    this.readsModels = readsModels;
    this.#limited = limited;
    this.#exchange = exchange;
    this.#hooks = hooks;
  }

  /** Called when the answer has ended. It is reported once, however often this is called. */
  answered(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.leave();
  }

  /** Called before an attempt is sent. Throws, or rejects with, the `GatewayError` of the limit that is reached. */
  reserve(attempt: LimitedAttempt): MaybePromise<Reservation> {
    this.#holds += 1;
    try {
      const given = this.#limited.attempt(attempt);
      return given instanceof Promise ? this.#awaited(given) : new OneEnd(this, given);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Keeps the request open for a call that continues without it while others wait for its answer. */
  hold(): void {
    this.#holds += 1;
  }

  /** Called when an attempt, the answer, or a caller of `hold` no longer keeps the request open. */
  leave(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    try {
      this.#limited.end();
    } catch (error) {
      this.failed(error);
    }
  }

  failed(error: unknown): void {
    reportFailure(this.#hooks, this.#exchange, error);
  }

  async #awaited(given: Promise<Reservation>): Promise<Reservation> {
    try {
      return new OneEnd(this, await given);
    } catch (error) {
      this.leave();
      throw error;
    }
  }
}
