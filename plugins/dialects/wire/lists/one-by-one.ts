import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import type { ListSplit } from '../../../sdk/dialect/list-split.ts';

/** A format whose requests have one text, and whose answers have its vector. */
export interface OneByOne {
  /** The place of the text in a request. */
  readText(body: JsonObject): Json | undefined;
  writeText(body: JsonObject, text: Json): JsonObject;
  /** Throws an `Error` that says why a body is no answer. */
  readVector(answer: JsonObject): Json;
  /** The figures that the answers have together. */
  sum(answers: readonly JsonObject[]): JsonObject;
}

/** The member with the vectors of several requests, which no provider has. */
const joined = 'vectors';

/**
 * How such a format is split: several texts stand as a list in the place of one until they are sent, and the joined answer has a
 * list of their vectors.
 */
export const splitOneByOne = ({ readText, writeText, readVector, sum }: OneByOne): ListSplit => ({
  count: (body) => findItems(readText(body))?.length,
  part: (body, from) => writeText(body, findItems(readText(body))?.[from] ?? ''),
  check: (answer) => void readVector(answer),
  join: (answers) => ({ ...sum(answers), [joined]: answers.map(readVector) }),
});

/** The texts of a request, in the place of one. */
export const oneOrList = (texts: readonly string[]): Json => (texts.length === 1 ? (texts[0] ?? '') : texts);

/** The vectors of an answer, whether it is one to several requests or to one. */
export const vectorsOf = (answer: JsonObject, { readVector }: Pick<OneByOne, 'readVector'>): readonly Json[] =>
  findItems(answer[joined]) ?? [readVector(answer)];
