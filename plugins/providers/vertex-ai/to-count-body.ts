import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';

const taken = ['contents', 'systemInstruction', 'tools', 'generationConfig'];

/**
 * A count as Vertex AI takes it: the members of the request stand at the top, where the Gemini API has them in
 * `generateContentRequest`. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens
 */
export const toCountBody = (body: JsonObject): JsonObject => {
  const request = findObject(body.generateContentRequest);
  if (request === undefined) return body;
  return Object.fromEntries(Object.entries(request).filter(([name]) => taken.includes(name)));
};
