import type { Json } from '../../../../schema/json/json.ts';
import { findNumber } from '../../../../schema/json/loose.ts';
import type { RankedDocument, Ranking, RerankRequest } from '../../../../schema/operations/rerank.ts';

/** A provider's result: the index of the document in the request, and its score. */
export interface WireResult {
  readonly index: Json | undefined;
  readonly score: Json | undefined;
}

const toRanked = ({ index, score }: WireResult, count: number): RankedDocument => {
  const [place, value] = [findNumber(index), findNumber(score)];
  if (place === undefined || !Number.isInteger(place) || place < 0 || place >= count)
    throw new TypeError('it has a result for a document that is not in the request.');
  if (value === undefined) throw new TypeError('it has a result without a score.');
  return { index: place, score: value };
};

/** Returns the results of an answer, the most relevant first, each for a different document. Throws a `TypeError` otherwise. */
export const toRanking = (results: readonly WireResult[], { documents, count }: RerankRequest): Ranking => {
  const ranked = results.map((result) => toRanked(result, documents.length));
  if (new Set(ranked.map(({ index }) => index)).size < ranked.length)
    throw new TypeError('it has two results for the same document.');
  return ranked.toSorted((one, other) => other.score - one.score).slice(0, count);
};
