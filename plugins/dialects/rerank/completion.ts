import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findItems } from '../../../schema/json/loose.ts';
import type { AnswerEdit, LeftOut } from '../../sdk/dialect/answer-edit.ts';

/** Returns a result whose document is an object, as clients of Cohere read it. */
const asResult = (item: Json): Json =>
  isJsonObject(item) && typeof item.document === 'string' ? { ...item, document: { text: item.document } } : item;

/** Adds `results`. The provider's own clients read `data`, so it is kept. */
const withResults = (body: JsonObject): JsonObject => {
  const data = findItems(body.data);
  return data === undefined || body.results !== undefined ? body : { ...body, results: data.map(asResult) };
};

/** Adds `results` to answers that have them only as `data`: https://docs.voyageai.com/reference/reranker-api */
export const completion = (leftOut: readonly LeftOut[]): AnswerEdit => ({
  marks: leftOut.includes('results') ? ['"data"'] : [],
  whole: withResults,
  stream: () => withResults,
});
