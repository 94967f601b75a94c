import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../chat/errors/errors.ts';
import { nomicEmbeddings as declaration } from '../embeddings/declaration.ts';
import { findUsage } from '../embeddings/usage.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { splitLists } from '../wire/lists/split-lists.ts';
import { decodeAnswer, encodeRequest } from './codec.ts';

/** Nomic's embeddings: https://docs.nomic.ai/reference/endpoints/nomic-embed-text */
export const nomicEmbeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, usage: true },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitLists({ texts: ['texts'], vectors: 'embeddings', figures: 'usage' }),
};
