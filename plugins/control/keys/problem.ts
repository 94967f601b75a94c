import { type JsonPointer, type PointerToken, toPointer } from '../../../schema/pointer.ts';

/** One thing that is wrong with the body of a request. */
export interface Problem {
  readonly pointer: JsonPointer;
  /** What is the case, in a sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A problem at a place in the body; no tokens are the body itself. */
export const problem = (place: readonly PointerToken[], message: string, hint: string): Problem => ({
  pointer: toPointer(place),
  message,
  hint,
});
