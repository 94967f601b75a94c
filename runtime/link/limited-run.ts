import type { LimitedAttempt, LimitedRequest, Reservation } from '../../plugins/sdk/limiter.ts';
import type { Soon } from './soon.ts';

/** Calls a function of a limiter. If it throws, the request goes on all the same. */
export type CallLimiter = (call: () => void) => void;

/**
 * What a limiter counts of one request. Each reservation ends once, and the request is told to have ended once: after its
 * answer and all of its attempts.
 */
export class LimitedRun {
  readonly #limited: LimitedRequest;
  readonly #call: CallLimiter;
  /** Whether a limit of the caller depends on the model. */
  readonly readsModels: boolean;
  #holds = 0;

  constructor(
    limited: LimitedRequest,
    { call, readsModels }: { readonly call: CallLimiter; readonly readsModels: boolean },
  ) {
    this.#limited = limited;
    this.#call = call;
    this.readsModels = readsModels;
  }

  /** The request does not end before the function that is returned has been called. */
  hold(): () => void {
    let isHeld = true;
    this.#holds += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#call(() => this.#limited.end());
    };
  }

  /** Before an attempt is sent. Throws, or rejects with, the `GatewayError` of a limit that is reached. */
  reserve(attempt: LimitedAttempt): Soon<Reservation> {
    const leave = this.hold();
    const refused = (error: unknown): never => {
      leave();
      throw error;
    };
    try {
      const given = this.#limited.attempt(attempt);
      return given instanceof Promise
        ? given.then((reservation) => this.#endedOnce(reservation, leave), refused)
        : this.#endedOnce(given, leave);
    } catch (error) {
      return refused(error);
    }
  }

  #endedOnce(reservation: Reservation, leave: () => void): Reservation {
    let isOpen = true;
    const end = (how: () => void): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#call(how);
      leave();
    };
    return {
      settle: (usage) => end(() => reservation.settle(usage)),
      release: () => end(() => reservation.release()),
    };
  }
}
