import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findItems, findNumber, findObject } from '../../../schema/json/loose.ts';
import type { AnswerEdit, LeftOut } from '../../sdk/dialect/answer-edit.ts';

/**
 * Categories that have another name at OpenAI. Two categories of Mistral's newer models correspond to one of the older models:
 * https://docs.mistral.ai/capabilities/guardrailing
 */
const openaiNames: ReadonlyMap<string, string> = new Map([
  ['hate_and_discrimination', 'hate'],
  ['violence_and_threats', 'violence'],
  ['selfharm', 'self-harm'],
  ['dangerous_and_criminal_content', 'illicit'],
  ['dangerous', 'illicit'],
  ['criminal', 'illicit'],
]);

/**
 * Adds values under OpenAI's names to those of the categories. If a name stands for several categories, it gets the greatest
 * value.
 */
const withOpenaiNames = <Value extends Json>(
  values: JsonObject,
  greater: (one: Json, other: Json) => Value,
): JsonObject => {
  const added: Record<string, Json> = {};
  for (const [name, openaiName] of openaiNames) {
    const [value, before] = [values[name], added[openaiName]];
    if (value !== undefined && values[openaiName] === undefined)
      added[openaiName] = before === undefined ? value : greater(before, value);
  }
  return { ...values, ...added };
};

const either = (one: Json, other: Json): Json => one === true || other === true;

const higher = (one: Json, other: Json): Json => Math.max(findNumber(one) ?? 0, findNumber(other) ?? 0);

/** Completes a result. A category that OpenAI does not have keeps its own name, and flags a text like the others. */
const asResult = (item: Json): Json => {
  if (!isJsonObject(item) || item.flagged !== undefined) return item;
  const categories = findObject(item.categories);
  const scores = findObject(item.category_scores);
  if (categories === undefined) return item;
  return {
    flagged: Object.values(categories).includes(true),
    ...item,
    categories: withOpenaiNames(categories, either),
    ...(scores === undefined ? {} : { category_scores: withOpenaiNames(scores, higher) }),
  };
};

const withFlags = (body: JsonObject): JsonObject => {
  const results = findItems(body.results);
  return results === undefined ? body : { ...body, results: results.map(asResult) };
};

/**
 * Completes answers that have other categories than OpenAI's and do not report whether a text is flagged, for OpenAI's clients.
 */
export const completion = (leftOut: readonly LeftOut[]): AnswerEdit => ({
  marks: leftOut.includes('flagged') ? ['"categories"'] : [],
  whole: withFlags,
  stream: () => withFlags,
});
