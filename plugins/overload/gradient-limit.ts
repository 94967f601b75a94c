import type { PlaceAnswer } from '../sdk/overload/overload.ts';
import { LatencyBaselines } from './latency-baselines.ts';
import { median } from './median.ts';

export interface LimitBounds {
  /** The limit is never lower. */
  readonly min: number;
  /** The limit is never higher. */
  readonly max: number;
  /** The limit before anything was measured. */
  readonly initial: number;
}

/** When an attempt was answered, on a clock that never goes back, and how many were open with it. */
export interface AnsweredAt {
  readonly now: number;
  readonly open: number;
}

/** A window ends after so many answers, if it is so long. */
const answersOfWindow = 10;
const shortestWindowMs = 250;
/** The most times of a window that are kept. */
const maxTimes = 512;
/** By how much times may be longer than usual before the limit shrinks. */
const tolerance = 1.5;
/** The most that one window takes away, as a part of the limit that is left. */
const minGradient = 0.5;
/** How far one window moves the limit to what it says. */
const smoothing = 0.5;
/** The part of the limit that is left after a drop. */
const afterDrop = 0.9;
/** Of which part of its limit on a target is asked so much that its times say something of it, and that the limit may grow. */
const askedShare = 1 / 2;
const fullShare = 4 / 5;
/** Below which part its times are those of a target without a queue. */
const idleShare = 1 / 4;
/** How often the usual times are measured anew while the target is busy. */
const probeEveryMs = 60_000;
/** How much of the limit each step of that leaves. */
const probeShare = 0.5;
/** A step is followed by another one if times have become so much shorter. */
const shorter = 0.85;

/** The usual times are being measured anew. */
interface Probe {
  /** The limit before it. */
  readonly before: number;
  /** How many times longer than usual answers took before it. */
  readonly first: number;
  /** The same before its last step. */
  last: number;
  /** When no more attempts were open than the step allows; what began earlier is not of it. */
  from: number | undefined;
}

/**
 * How many attempts a target may have open, by the gradient of the time to the first content: Netflix's Gradient2, with probes as
 * those of Envoy's adaptive concurrency. The middle of a short window is compared with the usual time of the same kind of answers.
 * Longer times shrink the limit, usual ones let it grow by the square root of itself, but only while the target is asked for
 * about as much as it may have: little traffic says nothing of what the target can do, so it changes nothing.
 *
 * Times under load would soon be the usual ones. So they are measured anew when a target first becomes busy, and once a minute while
 * it is: the limit is halved, and halved again as long as that makes answers come sooner.
 */
export class GradientLimit {
  readonly #bounds: LimitBounds;
  readonly #baselines = new LatencyBaselines();
  #limit: number;
  #windowBeganAt: number | undefined;
  #ratios: number[] = [];
  #times = new Map<string, number[]>();
  #answers = 0;
  /** The most attempts that were open in this window. */
  #maxOpen = 0;
  #lastDropAt = Number.NEGATIVE_INFINITY;
  #probedAt = Number.NEGATIVE_INFINITY;
  #probe: Probe | undefined;

  constructor(bounds: LimitBounds) {
    this.#bounds = bounds;
    this.#limit = this.#bounded(bounds.initial);
  }

  /** A whole number, at least 1. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** Whether the usual times are being measured anew. */
  get isProbing(): boolean {
    return this.#probe !== undefined;
  }

  /** An attempt began, so that so many are open now. */
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

  /** After a step of a probe the quick answers come first: it takes as many as may be open until they are like all. */
  get #fewestAnswers(): number {
    return this.isProbing ? Math.max(answersOfWindow, this.limit) : answersOfWindow;
  }

  /** Forgets what was measured since the last window, and ends a probe: times say nothing of the target at the moment. */
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

  /** Whether an attempt began when more were open than a step of a probe allows. */
  #isBeforeStep(began: number, { now, open }: AnsweredAt): boolean {
    const probe = this.#probe;
    if (probe === undefined) return false;
    if (open <= this.limit) probe.from ??= now;
    return probe.from === undefined || began < probe.from;
  }

  /** One drop of those attempts that were open together shrinks it, as one loss in a round trip does in TCP. */
  #drop(now: number, ms: number): void {
    if (now - ms < this.#lastDropAt) return;
    this.#lastDropAt = now;
    // A target that refuses one of few attempts can do no more than about as many.
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
    // With the fewest attempts that there may be, no time can be shorter.
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

  /** Ends a step of a probe, and the probe if another step would not make answers come sooner. */
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
