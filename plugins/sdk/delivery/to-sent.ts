import { retryAfterMs } from '../../../schema/plan/schedule.ts';
import { headerValue, type RawHeaders } from '../http/http.ts';
import type { Sent } from './delivery.ts';

/** Statuses that say that the body is wrong, as it will be again. Others have to do with the receiver, its address or the credential. */
const refusals: ReadonlySet<number> = new Set([400, 406, 410, 411, 413, 414, 415, 422]);

/** A receiver that asks for more would keep what waits for longer than anybody means. */
const longestAfterMs = 300_000;

/** Reads how a receiver answered. `now` is in milliseconds since the epoch. `what` says more of a status of 300 or above, as the end of a sentence. */
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
