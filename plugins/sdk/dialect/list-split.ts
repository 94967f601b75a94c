import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * How a request with a list of texts is sent as several, where a provider takes only so many in one, and how their answers
 * become one. Law: the joined answers to the parts of a request are the answer to the whole.
 */
export interface ListSplit {
  /** The number of texts of a request; undefined where it has no list of them. */
  count(body: JsonObject): number | undefined;
  /** The request for some of its texts. */
  part(body: JsonObject, from: number, to: number): JsonObject;
  /** Throws an `Error` that says why a body is no answer to so many texts. */
  check(answer: JsonObject, texts: number): void;
  /** The answers to all parts, in their order, as one. Throws an `Error` that says why they are none together. */
  join(answers: readonly JsonObject[]): JsonObject;
}
