import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import type { ListSplit } from '../../../sdk/dialect/list-split.ts';

/** A format whose requests have one text, and whose answers have its vector. */
export interface OneByOne {
  /** Reads the text of a request from its place. */
  readText(body: JsonObject): Json | undefined;
  writeText(body: JsonObject, text: Json): JsonObject;
  /** Throws an `Error` that describes why a body is not an answer. */
  readVector(answer: JsonObject): Json;
  /** Returns the combined usage figures of the answers. */
  sum(answers: readonly JsonObject[]): JsonObject;
}

/** The member with the vectors of several requests. No provider uses this name. */
const joined = 'vectors';

/**
 * Splits such a format: several texts are a list in place of one text until they are sent, and the joined answer has a list of
 * their vectors.
 */
export const splitOneByOne = ({ readText, writeText, readVector, sum }: OneByOne): ListSplit => ({
  count: (body) => findItems(readText(body))?.length,
  part: (body, from) => writeText(body, findItems(readText(body))?.[from] ?? ''),
  check: (answer) => void readVector(answer),
  join: (answers) => ({ ...sum(answers), [joined]: answers.map(readVector) }),
});

/** Returns the texts of a request in place of one text. */
export const unwrapSingle = (texts: readonly string[]): Json => (texts.length === 1 ? (texts[0] ?? '') : texts);

/** Returns the vectors of an answer to one or to several requests. */
export const vectorsOf = (answer: JsonObject, { readVector }: Pick<OneByOne, 'readVector'>): readonly Json[] =>
  findItems(answer[joined]) ?? [readVector(answer)];
