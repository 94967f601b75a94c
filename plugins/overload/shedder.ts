import type { Rank } from '../sdk/overload/priority-rank.ts';
import type { Load } from './load-monitor.ts';
import type { ShedReason } from './refusal.ts';

export interface ShedBounds {
  /** From what delay of the event loop on requests are refused, in milliseconds. */
  readonly delayMs: number;
  /** From what part of its memory on, of 1. */
  readonly memory: number;
}

/** All of each of the three priorities. */
const all = 3;
/** The least that is admitted: all of high priority, and a tenth of that where the load is far too high, so that it is seen when that is over. */
const min = 1;
const minOfHigh = 0.1;
/** How many times what is too late is far too late, and how much of the rest of the memory may be used. */
const severeDelay = 4;
const severeMemory = 1 / 2;
/** The part of what is admitted of a priority that is taken away where the load is just too high; more of it, the higher the load. */
const less = 0.2;
const minStep = 0.05;
/** The part that is added whenever the load was low. */
const more = 0.1;
const minMore = 0.02;
/** Over how many milliseconds, at least, what is measured is averaged. */
const standingMs = 500;
/** The load is low where it is below so much of what is too high: in between, nothing changes. */
const low = 0.7;
/** Memory is freed late, so that little less of it is low. */
const lowMemory = 0.95;

export interface MeasuredLoad extends Load {
  /** By how many milliseconds requests of high priority are late, which wait for fewer others; as all are if absent. */
  readonly highDelayMs?: number;
}

/**
 * Decides how much is admitted, from 3 (everything) down: the third that is taken away first is that of low priority, then that of
 * normal priority, and only where the load is far too high that of high priority. It is a part of all requests of a priority, drawn for
 * each, since to refuse all and then none of them would make the load swing. It shrinks the faster, the higher the
 * load is, grows slowly, and stays as it is between two thresholds.
 */
export class Shedder {
  readonly #bounds: ShedBounds;
  #admitted = all;
  /** The last measures, the last one first, each with the milliseconds that it is of. */
  #last: readonly (MeasuredLoad & { readonly ms: number })[] = [];
  #reason: Extract<ShedReason, 'event-loop' | 'memory'> = 'event-loop';

  constructor(bounds: ShedBounds) {
    this.#bounds = bounds;
  }

  /** How much is admitted, from 0.1 to 3. */
  get admitted(): number {
    return this.#admitted;
  }

  get isShedding(): boolean {
    return this.#admitted < all;
  }

  /** The reason for which it began to refuse requests, or for which it last refused more of them. */
  get reason(): Extract<ShedReason, 'event-loop' | 'memory'> {
    return this.#reason;
  }

  /** Takes a measure of the last `ms` milliseconds. A short one says little: a plan that is compiled, or a collection, takes a moment too. */
  measured(load: MeasuredLoad, ms: number): void {
    const last = [{ ...load, ms }, ...this.#last];
    const covered = last.map((_, at) => last.slice(0, at + 1).reduce((sum, each) => sum + each.ms, 0));
    const needed = covered.findIndex((coveredMs) => coveredMs >= standingMs);
    this.#last = needed < 0 ? last : last.slice(0, needed + 1);
    if (needed < 0) return;
    const allMs = this.#last.reduce((sum, each) => sum + each.ms, 0);
    const average = (read: (each: MeasuredLoad) => number): number =>
      this.#last.reduce((sum, each) => sum + read(each) * each.ms, 0) / allMs;
    const delayMs = average((each) => each.delayMs);
    const memory = average((each) => each.memory);
    const highDelayMs = average((each) => each.highDelayMs ?? each.delayMs);
    const isLate = delayMs >= this.#bounds.delayMs;
    if (isLate || memory >= this.#bounds.memory) {
      this.#reason = isLate ? 'event-loop' : 'memory';
      const floor = this.#isSevere({ delayMs: highDelayMs, memory }) ? minOfHigh : Math.min(min, this.#admitted);
      const excess = isLate ? delayMs / this.#bounds.delayMs : memory / this.#bounds.memory;
      const step = Math.max(minStep, this.#part * Math.min(1, less * excess));
      this.#admitted = Math.max(floor, this.#admitted - step);
      return;
    }
    const isLow = delayMs < this.#bounds.delayMs * low && memory < this.#bounds.memory * lowMemory;
    if (isLow) this.#admitted = Math.min(all, this.#admitted + Math.max(minMore, this.#part * more));
  }

  /** The part of the lowest priority that is admitted, of which anything is. */
  get #part(): number {
    return this.#admitted - (Math.ceil(this.#admitted) - 1);
  }

  #isSevere({ delayMs, memory }: Load): boolean {
    const bounds = this.#bounds;
    return delayMs >= bounds.delayMs * severeDelay || memory >= bounds.memory + (1 - bounds.memory) * severeMemory;
  }

  /** @param drawn from 0 to below 1 */
  admits(rank: Rank, drawn: number): boolean {
    // High has the first of three parts, normal the second, low the third.
    const before = 2 - rank;
    return drawn < this.#admitted - before;
  }
}
