import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * How a request with a list of texts is split into several, for a provider that limits their number, and how the answers are
 * joined. Law: joining the answers to the parts gives the answer to the whole request.
 */
export interface ListSplit {
  /** Returns the number of texts in a request, or undefined if it has no list of them. */
  count(body: JsonObject): number | undefined;
  /** Returns a request for some of its texts. */
  part(body: JsonObject, from: number, to: number): JsonObject;
  /** Throws an `Error` that explains why a body is not an answer to this many texts. */
  check(answer: JsonObject, texts: number): void;
  /** Joins the answers to all parts, given in order. Throws an `Error` that explains why they cannot be joined. */
  join(answers: readonly JsonObject[]): JsonObject;
}
