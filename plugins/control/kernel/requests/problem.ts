import { type JsonPointer, type PointerToken, toPointer } from '../../../../schema/json/pointer.ts';

/** An error in a request, with its place. */
export interface Problem {
  /** The part of the request; its body if absent. */
  readonly in?: 'query';
  readonly pointer: JsonPointer;
  /** A sentence that states what is wrong. */
  readonly message: string;
  /** A sentence that states what to do about it. */
  readonly hint: string;
}

/** Creates a problem at a place in the body; an empty place is the body itself. */
export const problem = (place: readonly PointerToken[], message: string, hint: string): Problem => ({
  pointer: toPointer(place),
  message,
  hint,
});
