import type { PlaceAnswer } from '../sdk/overload/overload.ts';
import { LatencyBaselines } from './latency-baselines.ts';
import { median } from './median.ts';

export interface LimitBounds {
  /** The minimum limit. */
  readonly min: number;
  /** The maximum limit. */
  readonly max: number;
  /** The limit before anything has been measured. */
  readonly initial: number;
}

/** When an attempt was answered, on a monotonic clock, and how many were open at the time. */
export interface AnsweredAt {
  readonly now: number;
  readonly open: number;
}

/** A window ends after this many answers, if it is long enough. */
const answersOfWindow = 10;
const shortestWindowMs = 250;
/** The maximum number of times that are kept of one window. */
const maxTimes = 512;
/** How many times longer than usual an answer may take before the limit shrinks. */
const tolerance = 1.5;
/** The maximum reduction in one window, as the part of the limit that is left. */
const minGradient = 0.5;
/** How far one window moves the limit towards the new value. */
const smoothing = 0.5;
/** The part of the limit that is left after a drop. */
const afterDrop = 0.9;
/** The part of the limit that must be in use for a target's times to be meaningful, and for the limit to grow. */
const askedShare = 1 / 2;
const fullShare = 4 / 5;
/** The part of the limit below which times are those of a target without a queue. */
const idleShare = 1 / 4;
/** How often the usual times are measured again while the target is busy, in milliseconds. */
const probeEveryMs = 60_000;
/** The part of the limit that is left after each step of a probe. */
const probeShare = 0.5;
/** Another step follows if times have become shorter by this factor. */
const shorter = 0.85;

/** A probe, which measures the usual times again. */
interface Probe {
  /** The limit before the probe. */
  readonly before: number;
  /** How many times longer than usual answers took before the probe. */
  readonly first: number;
  /** The same before its last step. */
  last: number;
  /** When no more attempts were open than the step allows. Attempts that started earlier do not count. */
  from: number | undefined;
}

/**
 * Determines how many attempts a target may have open, by the gradient of the time to the first content: Netflix's Gradient2,
 * with probes like those of Envoy's adaptive concurrency. The median of a short window is compared with the usual time of the
 * same kind of answers. Longer times shrink the limit. Usual times let it grow by its square root, but only while the target is
 * used close to its limit: low traffic does not show what the target can do, so it changes nothing.
 *
 * Times under load would soon become the usual ones. They are therefore measured again when a target first becomes busy, and once
 * a minute while it is: the limit is halved, and halved again as long as answers become faster.
 */
export class GradientLimit {
  readonly #bounds: LimitBounds;
  readonly #baselines = new LatencyBaselines();
  #limit: number;
  #windowBeganAt: number | undefined;
  #ratios: number[] = [];
  #times = new Map<string, number[]>();
  #answers = 0;
  /** The maximum number of attempts that were open in this window. */
  #maxOpen = 0;
  #lastDropAt = Number.NEGATIVE_INFINITY;
  #probedAt = Number.NEGATIVE_INFINITY;
  #probe: Probe | undefined;

  constructor(bounds: LimitBounds) {
    this.#bounds = bounds;
    this.#limit = this.#bounded(bounds.initial);
  }

  /** An integer of at least 1. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** Whether the usual times are being measured again. */
  get isProbing(): boolean {
    return this.#probe !== undefined;
  }

  /** Called when an attempt has started. `open` is the number of attempts that are open now. */
  began(open: number): void {
    if (open > this.#maxOpen) this.#maxOpen = open;
  }

  answered({ outcome, ms, kind }: PlaceAnswer, at: AnsweredAt): void {
    const { now, open } = at;
    this.began(open);
    if (outcome === 'dropped') this.#drop(now, ms);
    if (outcome !== 'served' || this.#isBeforeStep(now - ms, at)) return;
    this.#windowBeganAt ??= now;
    this.#answers += 1;
    this.#note(kind, ms);
    if (this.#answers >= this.#fewestAnswers && now - this.#windowBeganAt >= shortestWindowMs) this.#endWindow(at);
  }

  /**
   * After a step of a probe, fast answers arrive first. As many answers as may be open are needed for a representative sample.
   */
  get #fewestAnswers(): number {
    return this.isProbing ? Math.max(answersOfWindow, this.limit) : answersOfWindow;
  }

  /** Discards the measurements since the last window, and ends a probe, because times are currently not meaningful. */
  pause(open: number): void {
    if (this.#probe !== undefined) this.#limit = this.#bounded(this.#probe.before);
    this.#probe = undefined;
    this.#clear(open);
  }

  #note(kind: string, ms: number): void {
    if (this.#answers > maxTimes) return;
    const ratio = this.#baselines.ratio(kind, ms);
    if (ratio !== undefined) this.#ratios.push(ratio);
    const times = this.#times.get(kind);
    if (times !== undefined) times.push(ms);
    else this.#times.set(kind, [ms]);
  }

  /** Whether an attempt started when more were open than a step of a probe allows. */
  #isBeforeStep(began: number, { now, open }: AnsweredAt): boolean {
    const probe = this.#probe;
    if (probe === undefined) return false;
    if (open <= this.limit) probe.from ??= now;
    return probe.from === undefined || began < probe.from;
  }

  /** Only one drop counts among attempts that were open together, like one loss per round trip in TCP. */
  #drop(now: number, ms: number): void {
    if (now - ms < this.#lastDropAt) return;
    this.#lastDropAt = now;
    // A target that refuses one of few attempts cannot handle many more.
    this.#limit = this.#bounded(Math.min(this.#limit, 2 * this.#maxOpen) * afterDrop);
    this.#probe = undefined;
  }

  #endWindow({ now, open }: AnsweredAt): void {
    const asked = this.#maxOpen / this.#limit;
    const ratio = this.#ratios.length === 0 ? 1 : median(this.#ratios);
    const probe = this.#probe;
    if (probe !== undefined) this.#step(probe, ratio, now);
    else if (asked >= askedShare) this.#follow(ratio, now, asked >= fullShare);
    else if (asked < idleShare) this.#baselines.rest(this.#times);
    this.#clear(open);
  }

  #clear(open: number): void {
    this.#windowBeganAt = undefined;
    this.#ratios = [];
    this.#times = new Map();
    this.#answers = 0;
    this.#maxOpen = open;
  }

  #follow(ratio: number, now: number, mayGrow: boolean): void {
    const isMin = this.#limit <= this.#bounds.min;
    // At the minimum number of attempts, times cannot become shorter.
    if (isMin) this.#baselines.rest(this.#times);
    else this.#baselines.drift(this.#times);
    const gradient = Math.max(minGradient, Math.min(1, tolerance / ratio));
    const next = this.#limit * gradient + Math.max(1, Math.sqrt(this.#limit));
    const moved = this.#limit + (next - this.#limit) * smoothing;
    const before = this.#bounded(mayGrow ? moved : Math.min(this.#limit, moved));
    this.#limit = before;
    if (isMin || now - this.#probedAt < probeEveryMs) return;
    this.#probe = { before, first: ratio, last: ratio, from: undefined };
    this.#limit = this.#bounded(Math.min(before, this.#maxOpen) * probeShare);
  }

  /** Ends a step of a probe, and the probe itself if another step would not make answers faster. */
  #step(probe: Probe, ratio: number, now: number): void {
    if (ratio < probe.last * shorter && this.#limit > this.#bounds.min) {
      probe.last = ratio;
      probe.from = undefined;
      this.#limit = this.#bounded(this.#limit * probeShare);
      return;
    }
    this.#probe = undefined;
    this.#probedAt = now;
    this.#baselines.replace(this.#times);
    const isCrowded = probe.first > ratio * tolerance;
    this.#limit = this.#bounded(isCrowded ? this.#limit / probeShare : probe.before);
  }

  #bounded(limit: number): number {
    const { min, max } = this.#bounds;
    return Math.min(max, Math.max(min, limit));
  }
}
