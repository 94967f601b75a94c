import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { geminiDeclaration } from '../embeddings/provider-declarations.ts';
import { errors } from '../gemini/errors/errors.ts';
import { splitLists } from '../wire/lists/split-lists.ts';
import { decodeAnswer, encodeRequest, findUsage } from './codec.ts';

/** Google's batchEmbedContents: https://ai.google.dev/api/embeddings. Requests of other formats become it. */
export const geminiEmbeddings: Dialect = {
  ...geminiDeclaration,
  ...errors,
  classify: () => 'content',
  usage: findUsage,
  metered: { usageMetadata: true },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitLists({ texts: ['requests'], vectors: 'embeddings', figures: 'usageMetadata' }),
};
