import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../gemini/parts/errors.ts';
import { vertexDeclaration } from '../rerank/declaration.ts';
import { decodeAnswer, encodeRequest } from './codec.ts';

/**
 * Google's ranking API, whose answers do not report usage: https://docs.cloud.google.com/generative-ai-app-builder/docs/ranking
 */
export const vertexRerank: Dialect = {
  ...vertexDeclaration,
  ...errors,
  classify: () => 'content',
  metered: {},
  providerCodecs: { rerank: { encodeRequest, decodeAnswer } },
};
