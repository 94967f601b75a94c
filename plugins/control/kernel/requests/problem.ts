import { type JsonPointer, type PointerToken, toPointer } from '../../../../schema/json/pointer.ts';

/** An error in a request, with its place. */
export interface Problem {
  /** The part of the request; its body if absent. */
  readonly in?: 'query';
  readonly pointer: JsonPointer;
  /** Says what is wrong, in a sentence. */
  readonly message: string;
  /** Says what to do about it. */
  readonly hint: string;
}

/** A problem at a place in the body; an empty place is the body itself. */
export const problem = (place: readonly PointerToken[], message: string, hint: string): Problem => ({
  pointer: toPointer(place),
  message,
  hint,
});
