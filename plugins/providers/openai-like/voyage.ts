import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText } from '../../../schema/json/loose.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** Returns a document as a text. Clients of Cohere may send an object with the text. */
const toText = (document: Json): Json => findText(findObject(document)?.text) ?? document;

/** Lists that contain only texts are returned unchanged. Others are rewritten. */
const toTexts = (documents: Json): Json =>
  Array.isArray(documents) && documents.some(isJsonObject) ? documents.map(toText) : documents;

/** The number of results is `top_k`, and documents are only texts: https://docs.voyageai.com/reference/reranker-api */
const toOwnRerank = ({ top_n: count, documents, ...rest }: JsonObject): JsonObject => ({
  ...(count === undefined ? {} : { top_k: count }),
  ...(documents === undefined ? {} : { documents: toTexts(documents) }),
  ...rest,
});

/** https://docs.voyageai.com/reference/embeddings-api */
const row: Provider = openaiCompatible({
  id: 'voyage',
  documentation: 'https://docs.voyageai.com/reference/embeddings-api',
  baseUrl: 'https://api.voyageai.com/v1',
  operations: ['embeddings', 'rerank'],
  embeddings: {
    dimensions: 'output_dimension',
    purpose: { member: 'input_type', words: { query: 'query', document: 'document' } },
    // It supports base64. Without this member, vectors are lists of numbers.
    encoding: { member: 'encoding_format', words: { base64: 'base64' } },
  },
  maxTexts: 1000,
  models: ['voyage-', 'rerank-'],
  // Members of Cohere's rerank that it lacks and rejects: https://docs.voyageai.com/reference/reranker-api
  drop: ['max_tokens_per_doc', 'max_chunks_per_doc', 'rank_fields', 'priority'],
  leavesOut: { rerank: ['results'] },
  // Errors are a text: `{"detail": "…"}`.
  errorsVary: true,
});

/** The row, with the names that its reranker uses. */
export const voyage: Provider = defineProvider({
  ...row,
  adaptsOwn: [...(row.adaptsOwn ?? []), 'rerank'],
  adapt: (body, dialect, settings) =>
    dialect === 'rerank' ? toOwnRerank(body) : (row.adapt?.(body, dialect, settings) ?? body),
});
