import type { Cost } from '../../../schema/usage/usage-record.ts';
import type { LimitedAttempt } from '../control-plane/limiter.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';

/** Whether it is not known what an attempt uses: of what is passed through, or has no tokens, no estimate can be made. */
export const isUnread = (
  { route, request }: Pick<Exchange, 'route' | 'request'>,
  { isPassedThrough }: Pick<LimitedAttempt, 'isPassedThrough'>,
): boolean => {
  const isKnown = operations[route.operation].isMeasured && isPassedThrough !== true;
  return !isKnown && request.body.kind !== 'none';
};

/** Whether the answers to such a request report tokens or seconds: images do, and transcripts as JSON or as events. */
const reportsUsage = ({ route, request, readBody }: Exchange): boolean => {
  if (route.operation === 'image') return true;
  if (route.operation !== 'transcribe') return /^\/images\/(?:generations|edits)\/?(?:\?|$)/.test(request.path);
  const format = readBody?.response_format ?? 'json';
  return readBody?.stream === true || (typeof format === 'string' && format.endsWith('json'));
};

/**
 * Whether an unread request will have a cost all the same: the model has a price for each request, or one for tokens and
 * seconds where answers report these. `unused` is the cost of a call that uses nothing; undefined for a model without a price.
 */
export const isPricedUnread = (exchange: Exchange, unused: Cost | undefined): boolean =>
  unused !== undefined && (unused.nanoUsd > 0 || reportsUsage(exchange));
