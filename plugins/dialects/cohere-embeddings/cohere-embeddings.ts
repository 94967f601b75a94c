import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../cohere/errors/errors.ts';
import { cohereDeclaration } from '../embeddings/provider-declarations.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { splitLists } from '../wire/lists/split-lists.ts';
import { decodeAnswer, encodeRequest, findUsage } from './codec.ts';

/** Cohere's embed, version 2: https://docs.cohere.com/reference/embed. Requests of other formats become it. */
export const cohereEmbeddings: Dialect = {
  ...cohereDeclaration,
  classify: () => 'content',
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  usage: findUsage,
  metered: { meta: true },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitLists({ texts: ['texts', 'inputs'], vectors: 'embeddings', echoes: ['texts'], figures: 'meta' }),
};
