import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** An attempt that is about to be sent. */
export interface AttemptStart {
  /** Of the leaf. */
  readonly path: JsonPointer;
  readonly target: string;
  /** Counts from 1 in its leaf. */
  readonly attempt: number;
  readonly provider: string;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  /** The model that is asked for, where the request is translated or something consumes usage. A request that is left unread is read for it. */
  readonly model: string | undefined;
  /** Adds a header line. The request keeps its own line of this name, which may be one that a config forwards. */
  addHeader(name: string, value: string): void;
}
