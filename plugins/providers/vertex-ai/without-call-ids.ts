import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members of a part that have an id, in both spellings that the API accepts. */
const identified = ['functionCall', 'functionResponse', 'function_call', 'function_response'] as const;

const withoutId = (part: Json): Json => {
  if (!isJsonObject(part)) return part;
  for (const member of identified) {
    const value = part[member];
    if (!isJsonObject(value) || !Object.hasOwn(value, 'id')) continue;
    const { id: _, ...rest } = value;
    return { ...part, [member]: rest };
  }
  return part;
};

const hasId = (part: Json): boolean =>
  isJsonObject(part) &&
  identified.some((member) => {
    const value = part[member];
    return isJsonObject(value) && Object.hasOwn(value, 'id');
  });

const readParts = (content: Json): readonly Json[] =>
  isJsonObject(content) && Array.isArray(content.parts) ? content.parts : [];

/**
 * Returns a body without the ids of calls and of their results, which the Gemini API has and Vertex AI rejects (400,
 * `Unknown name "id" at 'contents[1].parts[0].function_call'`). Calls and results are matched by their names and their order.
 */
export const withoutCallIds = (body: JsonObject): JsonObject => {
  const { contents } = body;
  if (!Array.isArray(contents) || !contents.some((content: Json) => readParts(content).some(hasId))) return body;
  const without = (content: Json): Json =>
    isJsonObject(content) && readParts(content).some(hasId)
      ? { ...content, parts: readParts(content).map(withoutId) }
      : content;
  return { ...body, contents: contents.map(without) };
};
