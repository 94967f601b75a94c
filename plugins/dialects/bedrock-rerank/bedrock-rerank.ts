import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../converse/parts/errors.ts';
import { bedrockDeclaration } from '../rerank/declaration.ts';
import { decodeAnswer, encodeRequest } from './codec.ts';

/**
 * Amazon Bedrock's InvokeModel for models that rank:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html. Their answers do not report usage.
 */
export const bedrockRerank: Dialect = {
  ...bedrockDeclaration,
  classify: () => 'content',
  ...errors,
  metered: {},
  providerCodecs: { rerank: { encodeRequest, decodeAnswer } },
};
