import type { JsonPointer } from '../../schema/json/pointer.ts';

/** The address of a draw. The same address always results in the same draw, so that a request can be replayed. */
export interface ChanceAddress {
  readonly seed: number;
  readonly path: JsonPointer;
  /** The number of this draw of the request at this path, from 1. */
  readonly visit: number;
}

/** The runtime's source of randomness. Nothing else draws a random number. */
export interface Chance {
  /** Returns an index, drawn in proportion to its weight. A weight of 0 is never drawn. */
  pick(at: ChanceAddress, weights: readonly number[]): number;
  /** Returns a number drawn evenly from `from` to `to`. */
  between(at: ChanceAddress, from: number, to: number): number;
}
