import { retryAfterMs } from '../../../schema/plan/schedule.ts';
import { headerValue, type RawHeaders } from '../http/http.ts';
import type { Sent } from './delivery.ts';

/**
 * Statuses which mean that the body is invalid and would be rejected again. Other statuses concern the receiver, its address or
 * the credential.
 */
const refusals: ReadonlySet<number> = new Set([400, 406, 410, 411, 413, 414, 415, 422]);

/** A receiver that requests a longer wait would delay the queue for longer than intended. */
const longestAfterMs = 300_000;

/**
 * Interprets the answer of a receiver. `now` is in milliseconds since the epoch. `what` adds details about a status of 300 or
 * above, as the end of a sentence.
 */
export const toSent = (
  { status, headers }: { readonly status: number; readonly headers: RawHeaders },
  { now, what = '' }: { readonly now: number; readonly what?: string | undefined },
): Sent => {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const more = what === '' ? '' : ` (${what})`;
  if (status >= 300 && status < 400)
    return { kind: 'again', reason: `It answered ${status}, and redirects are not followed.` };
  const reason = `It answered ${status}${more}.`;
  if (refusals.has(status)) return { kind: 'refused', reason, ...(status === 413 ? { isTooLarge: true } : {}) };
  const afterMs = retryAfterMs((name) => headerValue(headers, name), now);
  return { kind: 'again', reason, ...(afterMs === undefined ? {} : { afterMs: Math.min(afterMs, longestAfterMs) }) };
};
