import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, findText, toObjects } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toRanking } from '../shared/answer/to-ranking.ts';
import { defined } from '../shared/json/defined.ts';

/**
 * The ids of records are the indexes of their documents: https://docs.cloud.google.com/generative-ai-app-builder/docs/ranking.
 * Without its details a record has only an id and a score.
 */
export const encodeRequest: ProviderCodec<'rerank'>['encodeRequest'] = ({ model, query, documents, count, more }) => ({
  body: defined({
    model,
    query,
    records: documents.map((content, index) => ({ id: String(index), content })),
    topN: count,
    ignoreRecordDetailsInResponse: true,
  }) as JsonObject,
  lost: more,
});

const toIndex = (id: string | undefined): number | undefined =>
  id !== undefined && /^\d+$/.test(id) ? Number(id) : undefined;

export const decodeAnswer: ProviderCodec<'rerank'>['decodeAnswer'] = (wire, request) => {
  if (findItems(wire.records) === undefined) throw new TypeError(notAnAnswer(wire, 'records'));
  // A score of 0 may be omitted, because Google's services omit defaults.
  const results = toObjects(wire.records).map(({ id, score = 0 }) => ({ index: toIndex(findText(id)), score }));
  return toRanking(results, request);
};
