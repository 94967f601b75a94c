import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { Part } from './reporter.ts';

/** A finding about a place of the gateway file, reported without access to its text. */
export interface PlacedProblem {
  readonly code: string;
  readonly pointer: JsonPointer;
  /** The value, if absent. */
  readonly part?: Part;
  /** An error, if absent. */
  readonly severity?: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
}
