import type { Clock } from '../../../../sdk/clock.ts';

/** The outcome of a request, as far as it affects the next ones. */
export type LineOutcome =
  | { readonly kind: 'taken' }
  /** The provider asks for fewer requests, and for none within `ms` milliseconds. */
  | { readonly kind: 'pushedBack'; readonly ms: number }
  /** A retry may succeed: there was no response, or one that says that the provider has failed. */
  | { readonly kind: 'failed' };

const first = 4;
const max = 32;
/** In milliseconds. */
const firstPause = 1000;
const longestPause = 10_000;

/** Stops waiting for room. */
export interface GateStop {
  isStopped(): boolean;
  /** Calls `run` when it is stopped. Returns a function that unsubscribes. */
  onStop(run: () => void): () => void;
}

/**
 * Limits how many requests of a batch are under way in this process. The limit grows while providers accept requests, and halves
 * when they push back or when all requests fail. After that no request is sent for a pause, which grows each time, so that lines
 * wait for a provider that is unavailable.
 */
export class ConcurrencyLimiter {
  readonly #clock: Clock;
  #room = first;
  #inside = 0;
  /**
   * How many requests were accepted since the limit last grew or the provider pushed back. When they reach the limit, it grows by
   * 1.
   */
  #taken = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #lastCut = Number.NEGATIVE_INFINITY;
  /** Consecutive failed requests, and how many times in a row as many as the limit have failed. */
  #failures = 0;
  #rounds = 0;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for room. Resolves to false, without taking any, once `stop` is stopped. */
  enter(stop: GateStop): Promise<boolean> {
    return new Promise((resolve) => {
      let stopListening = (): void => {};
      const settle = (isIn: boolean): void => {
        this.#waiting.delete(look);
        stopListening();
        if (isIn) this.#inside += 1;
        resolve(isIn);
      };
      const look = (): void => {
        if (stop.isStopped()) settle(false);
        else if (this.#inside < this.#room && this.#clock.monotonic() >= this.#pausedUntil) settle(true);
      };
      this.#waiting.add(look);
      look();
      if (this.#waiting.has(look)) stopListening = stop.onStop(look);
    });
  }

  leave(outcome: LineOutcome): void {
    this.#inside -= 1;
    if (outcome.kind === 'pushedBack') this.#pushBack(outcome.ms);
    else if (outcome.kind === 'failed') this.#fail();
    else this.#take();
    this.#letIn();
  }

  #letIn(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Opens the gate after the pause. Timers may fire a fraction of a millisecond early. */
  #openLater(): void {
    const rest = this.#pausedUntil - this.#clock.monotonic();
    if (rest > 0) this.#clock.after(rest, () => this.#openLater());
    else this.#letIn();
  }

  #pushBack(ms: number): void {
    const now = this.#clock.monotonic();
    // Requests that were under way together are pushed back together, for the same reason.
    if (now - this.#lastCut > 1000) this.#room = Math.max(1, Math.floor(this.#room / 2));
    this.#lastCut = now;
    this.#taken = 0;
    if (now + ms <= this.#pausedUntil) return;
    this.#pausedUntil = now + ms;
    this.#openLater();
  }

  #take(): void {
    this.#failures = 0;
    this.#rounds = 0;
    this.#taken += 1;
    if (this.#taken < this.#room) return;
    this.#room = Math.min(max, this.#room + 1);
    this.#taken = 0;
  }

  #fail(): void {
    // The failures of requests that were already under way are no new information.
    if (this.#clock.monotonic() < this.#pausedUntil) return;
    this.#failures += 1;
    if (this.#failures < this.#room) return;
    this.#failures = 0;
    this.#pushBack(Math.min(longestPause, firstPause * 2 ** this.#rounds));
    this.#rounds += 1;
  }
}

/** How many batches keep their gates between their parts. */
const maxRemembered = 100;

/** The gates of batches. All parts of a batch that this process runs share one gate. */
export class LineGates {
  readonly #clock: Clock;
  readonly #gates = new Map<string, { readonly gate: ConcurrencyLimiter; users: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a function with the gate of a batch. */
  async use<Result>(batch: string, run: (gate: ConcurrencyLimiter) => Promise<Result>): Promise<Result> {
    const entry = this.#gates.get(batch) ?? { gate: new ConcurrencyLimiter(this.#clock), users: 0 };
    this.#gates.set(batch, entry);
    entry.users += 1;
    try {
      return await run(entry.gate);
    } finally {
      entry.users -= 1;
      for (const [id, { users }] of this.#gates)
        if (users === 0 && this.#gates.size > maxRemembered) this.#gates.delete(id);
    }
  }
}
