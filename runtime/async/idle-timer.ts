import type { Clock } from '../ports/clock.ts';

export interface IdleTimerOptions {
  readonly clock: Clock;
  /** Milliseconds of silence after which the stream is ended. */
  readonly idleMs: number;
  /** Whether the silence so far has another cause than the upstream; the count then starts again. */
  readonly isExcused: () => boolean;
  readonly onIdle: () => void;
}

/**
 * Milliseconds between two looks at the streams that should end by themselves. A gateway that is the provider may judge the answer
 * after its last event, and then say what came of that.
 */
const graceMs = 5_000;

/**
 * The streams of one clock that should end by themselves. One timer looks at all of them, and ends those that were there the time
 * before: nearly every stream has ended by then, and would have a timer for nothing.
 */
class ExpectedEnds {
  readonly #clock: Clock;
  #old = new Set<IdleTimer>();
  #recent = new Set<IdleTimer>();
  #isWatching = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(timer: IdleTimer): void {
    this.#recent.add(timer);
    if (!this.#isWatching) this.#watch();
  }

  delete(timer: IdleTimer): void {
    if (!this.#recent.delete(timer)) this.#old.delete(timer);
  }

  #watch(): void {
    this.#isWatching = true;
    const look = (): void => {
      this.#isWatching = false;
      const late = this.#old;
      this.#old = this.#recent;
      this.#recent = new Set();
      for (const timer of late) timer.endLate();
      if (!this.#isWatching && this.#old.size > 0) this.#watch();
    };
    if (this.#clock.afterUnref === undefined) this.#clock.after(graceMs, look);
    else this.#clock.afterUnref(graceMs, look);
  }
}

const expectedEnds = new WeakMap<Clock, ExpectedEnds>();

const findExpectedEnds = (clock: Clock): ExpectedEnds => {
  const known = expectedEnds.get(clock);
  if (known !== undefined) return known;
  const ends = new ExpectedEnds(clock);
  expectedEnds.set(clock, ends);
  return ends;
};

/** Watches for silence with one timer, which measures the silence when it fires, so that chunks need not reset it. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #lastHeard = 0;
  #stopTimer: (() => void) | undefined;
  #expected: ExpectedEnds | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  heard(): void {
    this.#lastHeard = this.#options.clock.monotonic();
  }

  start(): void {
    this.heard();
    this.#arm(this.#options.idleMs);
  }

  stop(): void {
    this.#stopTimer?.();
    this.#expected?.delete(this);
  }

  /** The stream has had all that belongs to it: it is idle after five to ten seconds from now, whatever is heard. */
  expectEnd(): void {
    if (this.#expected !== undefined) return;
    this.#expected = findExpectedEnds(this.#options.clock);
    this.#expected.add(this);
  }

  /** Ends the stream, which has not ended in the time that it had for it. */
  endLate(): void {
    const { isExcused, onIdle } = this.#options;
    if (isExcused()) this.#expected?.add(this);
    else onIdle();
  }

  #arm(ms: number): void {
    const { clock, idleMs, isExcused, onIdle } = this.#options;
    this.#stopTimer = clock.after(ms, () => {
      const left = isExcused() ? idleMs : this.#lastHeard + idleMs - clock.monotonic();
      if (left > 0) this.#arm(left);
      else onIdle();
    });
  }
}
