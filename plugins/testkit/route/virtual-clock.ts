/** A clock on which time passes only when a test advances it. It can be used as the gateway's clock. */
export interface VirtualClock {
  monotonic(): number;
  wall(): number;
  after(ms: number, run: () => void): () => void;
  /** The number of timers that have not fired. */
  readonly pending: number;
  /** Lets time pass, and runs the timers that become due, in order. */
  advance(ms: number): void;
  /**
   * Lets time pass from one timer to the next until the promise settles, and no further. Rejects if the promise waits for
   * something other than a timer.
   */
  settle<Value>(promise: Promise<Value>): Promise<Value>;
}

interface Timer {
  readonly at: number;
  /** Timers that are due at the same moment run in the order in which they were set. */
  readonly order: number;
  readonly run: () => void;
  isOff: boolean;
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap of timers, from which the next one can be taken quickly however many there are. */
class Timers {
  readonly #heap: Timer[] = [];
  pending = 0;

  add(timer: Timer): void {
    this.pending += 1;
    let at = this.#heap.push(timer) - 1;
    for (let up = (at - 1) >> 1; at > 0; at = up, up = (at - 1) >> 1) {
      const above = this.#heap[up];
      if (above === undefined || isBefore(above, timer)) break;
      this.#heap[at] = above;
      this.#heap[up] = timer;
    }
  }

  callOff(timer: Timer): void {
    if (timer.isOff) return;
    timer.isOff = true;
    this.pending -= 1;
  }

  earliest(): Timer | undefined {
    while (this.#heap[0]?.isOff === true) this.#removeFirst();
    return this.#heap[0];
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]];
      const isRight = right !== undefined && left !== undefined && isBefore(right, left);
      const below = isRight ? right : left;
      if (below === undefined || isBefore(last, below)) break;
      this.#heap[at] = below;
      at = 2 * at + (isRight ? 2 : 1);
    }
    this.#heap[at] = last;
  }
}

/**
 * How long a promise may take without a timer before it counts as stuck: both so many turns of the event loop and so many
 * milliseconds, because code is loaded from the disk when it is first used.
 */
const patience = { turns: 200, ms: 2000 };

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a clock that starts at 0, on a fixed day. */
export const createVirtualClock = (startMs: number = Date.UTC(2026, 0, 1)): VirtualClock => {
  const timers = new Timers();
  let now = 0;
  let order = 0;

  const runUntil = (end: number): void => {
    for (let timer = timers.earliest(); timer !== undefined && timer.at <= end; timer = timers.earliest()) {
      timers.callOff(timer);
      now = timer.at;
      timer.run();
    }
    now = end;
  };

  return {
    monotonic: () => now,
    wall: () => startMs + now,
    after: (ms, run) => {
      order += 1;
      const timer: Timer = { at: now + Math.max(0, ms), order, run, isOff: false };
      timers.add(timer);
      return () => timers.callOff(timer);
    },
    get pending() {
      return timers.pending;
    },
    advance: (ms) => runUntil(now + ms),
    settle: async (promise) => {
      let settled = false;
      const noted = promise.finally(() => {
        settled = true;
      });
      noted.catch(() => {});
      let idleSince = performance.now();
      for (let idle = 0; !settled; idle += 1) {
        await nextTurn();
        const timer = settled ? undefined : timers.earliest();
        if (timer !== undefined) {
          runUntil(timer.at);
          idle = 0;
          idleSince = performance.now();
        } else if (idle > patience.turns && performance.now() - idleSince > patience.ms)
          throw new Error('No timer is pending, but there is no answer yet.');
      }
      return await noted;
    },
  };
};
