import type { Rank } from '../sdk/overload/priority-rank.ts';
import type { Load } from './load-monitor.ts';
import type { ShedReason } from './refusal.ts';

export interface ShedBounds {
  /** The delay of the event loop in milliseconds at which requests are refused. */
  readonly delayMs: number;
  /** The used part of the memory at which requests are refused, from 0 to 1. */
  readonly memory: number;
}

/** Everything, for each of the three priorities. */
const all = 3;
/**
 * The minimum that is admitted: all requests of high priority or, if the load is far too high, a tenth of them, so that the end
 * of the overload is noticed.
 */
const min = 1;
const minOfHigh = 0.1;
/**
 * By which factor a delay has to exceed its threshold to be far too high, and how much of the remaining memory has to be used.
 */
const severeDelay = 4;
const severeMemory = 1 / 2;
/** The part that is taken away from a priority if the load is slightly too high. The higher the load, the more. */
const less = 0.2;
const minStep = 0.05;
/** The part that is added each time the load is low. */
const more = 0.1;
const minMore = 0.02;
/** The minimum number of milliseconds over which measurements are averaged. */
const standingMs = 500;
/** The load is low if it is below this part of the threshold. In between, nothing changes. */
const low = 0.7;
/** Memory is freed late, so the threshold for low memory use is only slightly lower. */
const lowMemory = 0.95;

export interface MeasuredLoad extends Load {
  /** The delay of requests of high priority in milliseconds, which wait for fewer others. If absent, the same as for all. */
  readonly highDelayMs?: number;
}

/**
 * Decides how much is admitted, from 3 (everything) down. The third of low priority is taken away first, then that of normal
 * priority and, only if the load is far too high, that of high priority. Within a priority, requests are refused at random,
 * because alternating between refusing all and none would make the load oscillate. The admitted part shrinks faster the higher
 * the load is, grows slowly, and does not change between two thresholds.
 */
export class Shedder {
  readonly #bounds: ShedBounds;
  #admitted = all;
  /** The last measurements, the most recent first, each with its duration in milliseconds. */
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

  /** The reason for which it started to refuse requests, or last refused more of them. */
  get reason(): Extract<ShedReason, 'event-loop' | 'memory'> {
    return this.#reason;
  }

  /**
   * Records a measurement over the last `ms` milliseconds. A short one means little, because compiling a plan or a garbage
   * collection also takes a moment.
   */
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

  /** The admitted part of the lowest priority of which anything is admitted. */
  get #part(): number {
    return this.#admitted - (Math.ceil(this.#admitted) - 1);
  }

  #isSevere({ delayMs, memory }: Load): boolean {
    const bounds = this.#bounds;
    return delayMs >= bounds.delayMs * severeDelay || memory >= bounds.memory + (1 - bounds.memory) * severeMemory;
  }

  /** @param drawn a random number from 0 to below 1 */
  admits(rank: Rank, drawn: number): boolean {
    // High priority has the first of three parts, normal the second, low the third.
    const before = 2 - rank;
    return drawn < this.#admitted - before;
  }
}
