import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';

/** A circuit opens here at a number of failures: as many as the percentage of the least number of requests. */
export const toBreaker = (value: Json, at: JsonPointer, draft: Draft): Json => {
  if (!isJsonObject(value)) return value;
  const { failure_threshold_percentage: percentage, minimum_requests: requests, ...rest } = value;
  if (typeof percentage !== 'number' || typeof requests !== 'number') return value;
  const failures = Math.max(1, Math.ceil((percentage / 100) * requests));
  const threshold = typeof rest.failure_threshold === 'number' ? rest.failure_threshold : failures;
  draft.lose(
    childPointer(at, 'failure_threshold_percentage'),
    'A circuit opens at a number of failures, not at a percentage.',
    `It opens at ${threshold} in the config: "failure_threshold".`,
  );
  return { ...rest, failure_threshold: threshold };
};
