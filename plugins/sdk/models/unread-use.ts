import type { Cost } from '../../../schema/usage/usage-record.ts';
import type { LimitedAttempt } from '../control-plane/limiter.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';

/** Whether no estimate can be made of what an attempt uses, because it is passed through or does not use tokens. */
export const hasUnknownUsage = (
  { route, request }: Pick<Exchange, 'route' | 'request'>,
  { isPassedThrough }: Pick<LimitedAttempt, 'isPassedThrough'>,
): boolean => {
  const isKnown = operations[route.operation].isMeasured && isPassedThrough !== true;
  return !isKnown && request.body.kind !== 'none';
};

/** Whether the answers to such a request report tokens or seconds. Images do, and so do transcripts as JSON or as events. */
const reportsUsage = ({ route, request, readBody }: Exchange): boolean => {
  if (route.operation === 'image') return true;
  if (route.operation !== 'transcribe') return /^\/images\/(?:generations|edits)\/?(?:\?|$)/.test(request.path);
  const format = readBody?.response_format ?? 'json';
  return readBody?.stream === true || (typeof format === 'string' && format.endsWith('json'));
};

/**
 * Whether an unread request will have a cost nevertheless, because the model has a price for each request, or a price for tokens
 * and seconds that answers report. `unused` is the cost of a call that uses nothing; undefined for a model without a price.
 */
export const isPricedUnread = (exchange: Exchange, unused: Cost | undefined): boolean =>
  unused !== undefined && (unused.nanoUsd > 0 || reportsUsage(exchange));
