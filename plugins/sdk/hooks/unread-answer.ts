import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** The answer of an attempt that the gateway did not parse, with its request. Both are complete and in the same dialect. */
export interface UnreadAnswer {
  /** The place of the leaf in its plan. */
  readonly path: JsonPointer;
  readonly target: string;
  /** The number of the attempt in its leaf, starting at 1. */
  readonly attempt: number;
  /** The id of the dialect of both bodies. */
  readonly dialect: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** The bodies as received, at most 16 KB each. Copy them to keep them. */
  readonly request: Uint8Array;
  readonly answer: Uint8Array;
}
