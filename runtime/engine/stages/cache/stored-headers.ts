import type { RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import { headerText } from '../../forwarded-headers/header-text.ts';

/** The headers that describe the bytes. All others are about one call: ids, rate limits, times, cookies. */
const kept: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'content-language']);

/** Returns the header lines that are stored with an answer. */
export const storedHeaders = (headers: RawHeaders): RawHeaders =>
  headers.filter((_, at) => kept.has(headerText(headers, at - (at % 2)).toLowerCase()));
