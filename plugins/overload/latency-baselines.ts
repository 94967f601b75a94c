import { median } from './median.ts';

/** The most kinds of answers that have a baseline of their own; others share one. */
const maxKinds = 32;
/** Stands for the kinds for which there is no room. */
const otherKinds = '';
/** How far one window moves a baseline while the target is busy, and how far it may go from what was measured at rest. */
const driftShare = 0.1;
const maxDrift = 1.25;
/** How far one window at rest moves it. */
const restShare = 0.5;

interface Baseline {
  /** The time that was measured while few attempts were open, in milliseconds. */
  rest: number;
  /** The usual time, near that. */
  usual: number;
}

/** The times of one window, by kind. */
export type KindTimes = ReadonlyMap<string, readonly number[]>;

/** The usual time to the first content of each kind of answer of a target. */
export class LatencyBaselines {
  readonly #known = new Map<string, Baseline>();

  /** How many times longer than usual it took; undefined where nothing is usual yet. */
  ratio(kind: string, ms: number): number | undefined {
    const known = this.#find(kind);
    return known === undefined ? undefined : ms / Math.max(known.usual, 1);
  }

  /** Learns from times under load, which count little: what grows then is the wait in the target. */
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

  /** Takes times in place of what was known: so few attempts were open for this. */
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
