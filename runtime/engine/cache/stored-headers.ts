import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { headerText } from '../headers/header-text.ts';

/** The headers that describe the bytes. All else is about one call: ids, rate limits, times, cookies. */
const kept: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'content-language']);

/** The lines of an answer that are stored with it. */
export const storedHeaders = (headers: RawHeaders): RawHeaders =>
  headers.filter((_, at) => kept.has(headerText(headers, at - (at % 2)).toLowerCase()));
