import type { Json, NonEmptyArray } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';

/** A change of a text, described by the member that it concerns. It can be made in every format, and keeps comments. */
export type Edit =
  /** Renames a member. */
  | { readonly kind: 'rename'; readonly at: JsonPointer; readonly name: string }
  /** Replaces a string, a number, true, false or null with another value. */
  | { readonly kind: 'set'; readonly at: JsonPointer; readonly value: Exclude<Json, object> | null }
  /** Adds a member to an object. */
  | { readonly kind: 'add'; readonly at: JsonPointer; readonly value: Exclude<Json, object> | null }
  /** Removes a member, or an item of a list. */
  | { readonly kind: 'remove'; readonly at: JsonPointer }
  /** Writes the string that begins there in double quotes. */
  | { readonly kind: 'straighten-quotes'; readonly offset: number };

/** How a finding can be fixed. A safe fix keeps the meaning; a guess is what was probably meant. */
export interface Fix {
  readonly kind: 'safe' | 'guess';
  readonly edits: NonEmptyArray<Edit>;
}
