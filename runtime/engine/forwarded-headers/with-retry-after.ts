import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';

/** Returns an error's headers with the wait from its body, for a format that has it only there. */
export const withRetryAfter = (
  headers: RawHeaders,
  { dialect, bytes }: { readonly dialect: Dialect; readonly bytes: Uint8Array },
): RawHeaders => {
  if (dialect.retryAfter === undefined || headerValue(headers, 'retry-after') !== undefined) return headers;
  const seconds = dialect.retryAfter(toBuffer(bytes).toString());
  return seconds === undefined ? headers : [...headers, 'retry-after', String(seconds)];
};
