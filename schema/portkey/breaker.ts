import { isJsonObject, type Json } from '../json/json.ts';
import { childPointer, type JsonPointer } from '../json/pointer.ts';

/** Collects losses. */
interface Losses {
  reportLoss(source: JsonPointer, why: string, instead: string): void;
}

/**
 * Converts a percentage of failures to the number of failures at which a circuit opens here: the percentage of the minimum number
 * of requests.
 */
export const toBreaker = (value: Json, at: JsonPointer, losses: Losses): Json => {
  if (!isJsonObject(value)) return value;
  const { failure_threshold_percentage: percentage, minimum_requests: requests, ...rest } = value;
  if (typeof percentage !== 'number' || typeof requests !== 'number') return value;
  const failures = Math.max(1, Math.ceil((percentage / 100) * requests));
  const threshold = typeof rest.failure_threshold === 'number' ? rest.failure_threshold : failures;
  losses.reportLoss(
    childPointer(at, 'failure_threshold_percentage'),
    'A circuit opens at a number of failures, not at a percentage.',
    `It is "failure_threshold": ${threshold} now, ${percentage} percent of ${requests} requests: a number of failures, whatever the number of requests.`,
  );
  return { ...rest, failure_threshold: threshold };
};
