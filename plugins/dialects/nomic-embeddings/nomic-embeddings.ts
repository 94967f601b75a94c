import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../chat/parts/errors.ts';
import { nomicEmbeddings as declaration } from '../embeddings/declaration.ts';
import { findUsage } from '../embeddings/usage.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { splitLists } from '../shared/split-lists/split-lists.ts';
import { decodeAnswer, encodeRequest } from './codec.ts';

/** Nomic's embeddings: https://docs.nomic.ai/reference/endpoints/nomic-embed-text */
export const nomicEmbeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  ...errors,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, usage: true },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitLists({ texts: ['texts'], vectors: 'embeddings', figures: 'usage' }),
};
