import type { Choose } from '../../../compiler/semantics/enumerate.ts';
import type { Chance } from '../../../runtime/ports/chance.ts';

/** Draws from an interval fork into its two ends, which are recorded by place. Probes wait the middle of their interval. */
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
