import type { Clock } from '../../../../sdk/clock.ts';

/** The end of a request, as far as it says something of the next ones. */
export type LineOutcome =
  | { readonly kind: 'taken' }
  /** The provider asks for fewer requests, and for none within so many milliseconds. */
  | { readonly kind: 'pushedBack'; readonly ms: number }
  /** It may succeed later: there was no answer, or one that says that the provider has failed. */
  | { readonly kind: 'failed' };

const first = 4;
const max = 32;
/** Milliseconds. */
const firstPause = 1000;
const longestPause = 10_000;

/** Ends the waiting for room. */
export interface GateStop {
  isStopped(): boolean;
  /** Calls back when it is stopped. Returns a function that ends this. */
  onStop(run: () => void): () => void;
}

/**
 * How many requests of a batch are under way in this process: more while providers take them, half as many when they push
 * back, or when all fail. Then none are sent for a while, ever longer, so that lines wait for a provider that is unavailable.
 */
export class LineGate {
  readonly #clock: Clock;
  #room = first;
  #inside = 0;
  /** Grows by 1 whenever as many as there is room for were taken. */
  #taken = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #lastCut = Number.NEGATIVE_INFINITY;
  /** Requests that have failed one after another, and how often as many have as there was room for. */
  #failures = 0;
  #rounds = 0;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for room; resolves to false, without taking any, once `stop` says so. */
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

  /** Timers may be early by a part of a millisecond. */
  #openLater(): void {
    const rest = this.#pausedUntil - this.#clock.monotonic();
    if (rest > 0) this.#clock.after(rest, () => this.#openLater());
    else this.#letIn();
  }

  #pushBack(ms: number): void {
    const now = this.#clock.monotonic();
    // Those that were under way together are pushed back together, for one reason.
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
    // Those that were under way when the others failed say nothing new.
    if (this.#clock.monotonic() < this.#pausedUntil) return;
    this.#failures += 1;
    if (this.#failures < this.#room) return;
    this.#failures = 0;
    this.#pushBack(Math.min(longestPause, firstPause * 2 ** this.#rounds));
    this.#rounds += 1;
  }
}

/** Batches whose gates are remembered between their parts. */
const maxRemembered = 100;

/** The gates of batches: there is one for all parts of a batch that this process runs. */
export class LineGates {
  readonly #clock: Clock;
  readonly #gates = new Map<string, { readonly gate: LineGate; users: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs something with the gate of a batch. */
  async use<Result>(batch: string, run: (gate: LineGate) => Promise<Result>): Promise<Result> {
    const entry = this.#gates.get(batch) ?? { gate: new LineGate(this.#clock), users: 0 };
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
