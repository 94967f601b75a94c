import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../converse/parts/errors.ts';
import { novaEmbeddings as declaration } from '../embeddings/declaration.ts';
import { splitOneByOne } from '../shared/split-lists/one-by-one.ts';
import { decodeAnswer, encodeRequest, oneByOne } from './codec.ts';

/**
 * The embeddings of Amazon's Nova models, one text per request:
 * https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html
 */
export const novaEmbeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  ...errors,
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitOneByOne(oneByOne),
};
