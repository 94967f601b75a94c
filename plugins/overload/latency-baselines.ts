import { median } from './median.ts';

/** The maximum number of kinds of answers with their own baseline. Others share one. */
const maxKinds = 32;
/** Stands for the kinds for which there is no room. */
const otherKinds = '';
/** How far one window moves a baseline while the target is busy, and how far it may move from what was measured at rest. */
const driftShare = 0.1;
const maxDrift = 1.25;
/** How far one window at rest moves it. */
const restShare = 0.5;

interface Baseline {
  /** The time measured while few attempts were open, in milliseconds. */
  rest: number;
  /** The usual time, which is close to that. */
  usual: number;
}

/** The times of one window, by kind. */
export type KindTimes = ReadonlyMap<string, readonly number[]>;

/** Tracks the usual time to the first content for each kind of answer of a target. */
export class LatencyBaselines {
  readonly #known = new Map<string, Baseline>();

  /** Returns how many times longer than usual an answer took. Undefined if nothing is known yet. */
  ratio(kind: string, ms: number): number | undefined {
    const known = this.#find(kind);
    return known === undefined ? undefined : ms / Math.max(known.usual, 1);
  }

  /** Learns from times under load, which have little weight, because an increase is probably due to queueing in the target. */
  drift(times: KindTimes): void {
    this.#learn(times, (known, seen) => {
      const usual = known.usual + (seen - known.usual) * driftShare;
      known.usual = Math.min(known.rest * maxDrift, Math.max(known.rest / maxDrift, usual));
    });
  }

  /** Learns from times while few attempts were open. */
  rest(times: KindTimes): void {
    this.#learn(times, (known, seen) => {
      known.rest += (seen - known.rest) * restShare;
      known.usual = known.rest;
    });
  }

  /** Replaces what was known by times for which the number of open attempts was deliberately reduced. */
  replace(times: KindTimes): void {
    this.#learn(times, (known, seen) => {
      known.rest = seen;
      known.usual = seen;
    });
  }

  #find(kind: string): Baseline | undefined {
    return this.#known.get(kind) ?? this.#known.get(otherKinds);
  }

  #learn(times: KindTimes, change: (known: Baseline, seen: number) => void): void {
    for (const [kind, values] of times) {
      const seen = median(values);
      const known = this.#find(kind);
      const isNew = !this.#known.has(kind) && this.#known.size < maxKinds;
      if (isNew || known === undefined) this.#known.set(isNew ? kind : otherKinds, { rest: seen, usual: seen });
      else change(known, seen);
    }
  }
}
