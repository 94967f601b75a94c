import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, toObjects } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toRanking } from '../shared/answer/to-ranking.ts';
import { defined } from '../shared/json/defined.ts';

/** Returns the version in the body. Cohere's models require one, which is 2, and Amazon's models have none. */
const versionOf = (model: string | undefined): number | undefined =>
  model?.includes('cohere.') === true ? 2 : undefined;

/**
 * The path names the model: https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-use.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-card-cohere-rerank-3-5.html
 */
export const encodeRequest: ProviderCodec<'rerank'>['encodeRequest'] = ({ model, query, documents, count, more }) => ({
  body: defined({
    query,
    documents: [...documents],
    top_n: count,
    api_version: versionOf(model),
  }) as JsonObject,
  lost: more,
});

export const decodeAnswer: ProviderCodec<'rerank'>['decodeAnswer'] = (wire, request) => {
  if (findItems(wire.results) === undefined) throw new TypeError(notAnAnswer(wire, 'results'));
  const results = toObjects(wire.results).map(({ index, relevance_score: score }) => ({ index, score }));
  return toRanking(results, request);
};
