import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** An attempt that is about to be sent. */
export interface AttemptStart {
  /** The place of the leaf in its plan. */
  readonly path: JsonPointer;
  readonly target: string;
  /** The number of the attempt in its leaf, starting at 1. */
  readonly attempt: number;
  readonly provider: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /**
   * The requested model, if the request is translated or something consumes usage. A request that would otherwise not be parsed
   * is parsed for it.
   */
  readonly model: string | undefined;
  /**
   * Adds a header. If the request already has a header of this name, for example one that a config forwards, that one is kept.
   */
  addHeader(name: string, value: string): void;
}
