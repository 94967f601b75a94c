import type { PlaceOutcome } from '../sdk/overload/overload.ts';

/** How many of the last attempts are remembered. */
const remembered = 16;
const all = (1 << remembered) - 1;
/** With fewer attempts, no conclusion is drawn. */
const fewest = 8;

const ones = (bits: number): number => {
  let count = 0;
  for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
};

/** Tracks whether the last attempts at a target failed or were served. */
export class LastOutcomes {
  /** A bit for each attempt, the last one first: 1 if it failed. */
  #failures = 0;
  #count = 0;

  /** Whether most of them failed. If so, requests should not wait for the target. */
  get areFailing(): boolean {
    return this.#count >= fewest && ones(this.#failures) * 2 > this.#count;
  }

  add(outcome: PlaceOutcome): void {
    if (outcome === 'neutral') return;
    this.#failures = ((this.#failures << 1) & all) | (outcome === 'served' ? 0 : 1);
    if (this.#count < remembered) this.#count += 1;
  }
}
