import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../converse/parts/errors.ts';
import { titanEmbeddings as declaration } from '../embeddings/declaration.ts';
import { splitOneByOne } from '../shared/split-lists/one-by-one.ts';
import { decodeAnswer, encodeRequest, findUsage, oneByOne } from './codec.ts';

/**
 * The embeddings of Amazon's Titan models, one text per request:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
 */
export const titanEmbeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  ...errors,
  usage: findUsage,
  metered: { inputTextTokenCount: true },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitOneByOne(oneByOne),
};
