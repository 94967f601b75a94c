import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** The answer of an attempt that the gateway did not read, and the request that it answers, both whole and in one dialect. */
export interface UnreadAnswer {
  /** Of the leaf. */
  readonly path: JsonPointer;
  readonly target: string;
  /** Counts from 1 in its leaf. */
  readonly attempt: number;
  /** The id of the dialect of both bodies. */
  readonly dialect: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** The bodies as they were received, at most 16 KB each; they must be copied by whoever keeps them. */
  readonly request: Uint8Array;
  readonly answer: Uint8Array;
}
