import type { Json, NonEmptyArray } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';

/** A change of a text, by the member that it is about: so it can be made in each format, and comments stay. */
export type Edit =
  /** Gives a member another name. */
  | { readonly kind: 'rename'; readonly at: JsonPointer; readonly name: string }
  /** Writes another value in place of a string, a number, true, false or null. */
  | { readonly kind: 'set'; readonly at: JsonPointer; readonly value: Exclude<Json, object> | null }
  /** Writes a member that its object does not have. */
  | { readonly kind: 'add'; readonly at: JsonPointer; readonly value: Exclude<Json, object> | null }
  /** Removes a member, or an item of a list. */
  | { readonly kind: 'remove'; readonly at: JsonPointer }
  /** Writes a string that begins there in double quotes. */
  | { readonly kind: 'straighten-quotes'; readonly offset: number };

/** How a finding can be mended. A safe fix keeps the meaning; a guess says what was probably meant. */
export interface Fix {
  readonly kind: 'safe' | 'guess';
  readonly edits: NonEmptyArray<Edit>;
}
