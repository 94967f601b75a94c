import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findItems, findNumber, findObject, toTexts } from '../../../../../schema/json/loose.ts';

const carried: ReadonlySet<string> = new Set([
  ...['model', 'input', 'encoding_format', 'dimensions', 'user'],
  ...['input_type', 'truncate', 'max_tokens'],
]);

const textsIn = (input: Json | undefined): readonly string[] => (typeof input === 'string' ? [input] : toTexts(input));

/** Why a request for embeddings cannot be a line of a batch of Cohere; undefined if it can. */
export const embeddingFault = (body: JsonObject): string | undefined => {
  const { input, encoding_format: format = 'float' } = body;
  const texts = textsIn(input);
  if (texts.length === 0 || (typeof input !== 'string' && texts.length !== findItems(input)?.length))
    return 'input must be a text or a list of texts at Cohere.';
  if (format !== 'float') return 'encoding_format must be "float" in a batch of Cohere.';
  const lost = Object.keys(body).filter((name) => !carried.has(name));
  return lost.length === 0 ? undefined : `a batch of Cohere has no place for ${lost.join(', ')}.`;
};

/**
 * A request for embeddings as a line of a batch has it, without its model; without `input_type` its texts are documents for a
 * search. https://github.com/cohere-ai/cohere-developer-experience/blob/main/notebooks/guides/Batch_Inference_with_Cohere.ipynb
 */
export const toBatchEmbedding = (body: JsonObject): JsonObject => {
  const { input, input_type: type = 'search_document', dimensions, truncate, max_tokens: most } = body;
  return {
    ...{ texts: textsIn(input), input_type: type, embedding_types: ['float'] },
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(most === undefined ? {} : { max_tokens: most }),
  };
};

/** https://docs.cohere.com/reference/embed#response.body */
export const embeddingAnswer = (wire: JsonObject, model: string): JsonObject => {
  const { embeddings, meta } = wire;
  const vectors = findItems(findObject(embeddings)?.float) ?? [];
  const tokens = findNumber(findObject(findObject(meta)?.billed_units)?.input_tokens);
  return {
    ...{ object: 'list', model, data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })) },
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
};
