import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems } from '../../../schema/json/loose.ts';
import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';
import { withoutDropped } from '../shared/request/without-dropped.ts';

/** https://docs.nomic.ai/atlas/models/text-embedding#embedding-task-types: texts to compare are embedded like documents. */
const taskTypes: Readonly<Partial<Record<EmbeddingPurpose, string>>> = {
  query: 'search_query',
  document: 'search_document',
  similarity: 'search_document',
  classification: 'classification',
  clustering: 'clustering',
};

/** https://docs.nomic.ai/reference/endpoints/nomic-embed-text */
export const encodeRequest: ProviderCodec<'embed'>['encodeRequest'] = (request, { drop }) => {
  const { model, texts, dimensions, purpose, more } = request;
  const type = purpose === undefined ? undefined : taskTypes[purpose];
  const body = defined({ model, texts: [...texts], task_type: type, dimensionality: dimensions }) as JsonObject;
  const { kept, dropped } = withoutDropped(body, drop);
  return {
    body: kept,
    lost: [...dropped, ...(purpose !== undefined && type === undefined ? ['purpose'] : []), ...more],
  };
};

export const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) => {
  const vectors = findItems(wire.embeddings);
  if (vectors === undefined) throw new TypeError(notAnAnswer(wire, 'embeddings'));
  return toVectors(vectors, request);
};
