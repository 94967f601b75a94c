import type { Choose } from '../../compiler/meaning/enumerate.ts';
import type { Chance } from '../../runtime/ports/chance.ts';

/** A draw from an interval forks over its two ends; each is remembered by its place. The waits of probes are the middle of theirs. */
export class ForkingChance implements Chance {
  readonly intervals: Map<string, { readonly from: number; readonly to: number }> = new Map();
  readonly #choose: Choose;

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  pick(_at: unknown, weights: readonly number[]): number {
    return this.#choose(weights);
  }

  between({ path, visit }: Parameters<Chance['between']>[0], from: number, to: number): number {
    if (visit < 0) return (from + to) / 2;
    this.intervals.set(`${path} ${visit}`, { from, to });
    return [from, to][this.#choose([1, 1])] ?? from;
  }
}
