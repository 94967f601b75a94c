import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { vertexEmbeddings as declaration } from '../embeddings/declaration.ts';
import { errors } from '../gemini/parts/errors.ts';
import { splitLists } from '../shared/split-lists/split-lists.ts';
import { decodeAnswer, encodeRequest, findUsage } from './codec.ts';

/** Vertex AI's predict for embeddings: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertexEmbeddings: Dialect = {
  ...declaration,
  ...errors,
  classify: () => 'content',
  usage: findUsage,
  metered: { predictions: [{ embeddings: { statistics: true } }] },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitLists({ texts: ['instances'], vectors: 'predictions', figures: 'metadata' }),
};
