import type { Dialect } from '../../sdk/dialect/dialect.ts';
import {
  decodeError,
  decodeStreamError,
  encodeStreamError,
  encodeWireError,
  retryAfter,
} from '../gemini/errors/errors.ts';
import { decodeAnswer, encodeRequest, findUsage } from './codec.ts';
import { declaration } from './declaration.ts';

/** Vertex AI's predict for embeddings: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertexEmbeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  encodeStreamError,
  decodeError,
  retryAfter,
  encodeWireError,
  decodeStreamError,
  usage: findUsage,
  metered: { predictions: [{ embeddings: { statistics: true } }] },
  embedding: { encodeRequest, decodeAnswer },
};
