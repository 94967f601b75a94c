import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { SpanPlace, TextSpan } from './text-span.ts';

/**
 * How checks read a documented member of a format. It is data, so that a test can visit every member of every dialect. Members
 * that a table does not list are judged as a whole. Values that do not have the documented shape are judged too.
 *
 * - `structural`: an id, an enumeration, a number, a URL or a proof, which nobody reads as words. It is judged nevertheless if it
 *   contains white space or is an object, because the format does not document that.
 * - `facts`: an object or a list of ids, enumerations and numbers. Each string in it is structural.
 * - `instructions`: text from the application to the model, such as tools and schemas. Not judged.
 * - `echo`: judged texts repeated in another form, such as the probabilities of their tokens. Not judged.
 * - `before`: words before the judged turns, such as a system prompt. Not judged, but replaced, like turns that were judged with
 *   an earlier request. Only a member of the request itself can be one.
 * - `text`: words. `value`: any JSON; its strings are judged, one per line. `json`: the same, written as JSON text.
 * - `map`: an object whose member names are chosen by the caller.
 * - `choices`: the list of an answer's choices, each with its number as `index`.
 * - `again`: in an answer, a repetition of what precedes it in the table. Judged if it differs.
 * - `untold`: in the frame of a stream, words that the dialect's events do not report.
 * - `media`: an image, a recording or a video, whose words checks cannot read.
 * - `refused`: a member that may contain words which cannot be read. Checks that may deny deny it.
 * - `custom`: a text in a special form, such as a file in base64.
 */
export type Member =
  | { readonly is: 'structural' | 'facts' | 'instructions' | 'echo' | 'media' | 'refused' }
  | { readonly is: 'text' | 'value' | 'json'; readonly kind?: TextSpan['kind'] }
  | { readonly is: 'object'; readonly members: Members; readonly kind?: TextSpan['kind'] }
  | { readonly is: 'list' | 'choices'; readonly item: Member }
  | { readonly is: 'map' | 'before' | 'again' | 'untold'; readonly member: Member }
  | { readonly is: 'text-or'; readonly other: Member }
  | { readonly is: 'variants'; readonly by: string; readonly cases: Members; readonly absent: Member }
  | { readonly is: 'lazy'; readonly member: () => Member }
  | CustomMember;

/** A text in a special form. */
export interface CustomMember {
  readonly is: 'custom';
  /**
   * Returns `media` for a value that checks cannot read but that may accompany words, and undefined for a text that cannot be
   * read. `within` are the enclosing objects, innermost first; one of them may contain its type.
   */
  readonly read: (
    value: Json,
    place: SpanPlace,
    within: readonly JsonObject[],
  ) => readonly TextSpan[] | 'media' | undefined;
  /** Creates a value from which `words` can be read, for tests. */
  readonly example: (words: string) => Json;
}

/** Members by name, in the order in which their texts are read. */
export interface Members {
  readonly [name: string]: Member;
}

/** The members of the bodies of a dialect. */
export interface DialectMembers {
  readonly request: Member;
  readonly answer: Member;
  /**
   * The data of a stream's frame, as JSON. If the framing names the event separately, an object with that name as its only
   * member. Absent if there are no streams.
   */
  readonly frame?: Member;
}
