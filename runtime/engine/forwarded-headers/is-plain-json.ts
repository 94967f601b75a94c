import { headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';

const json = /^application\/json[ \t]*(?:;|$)/i;

/** Whether a body is plain JSON according to its headers: of that type, and not encoded. */
export const isPlainJson = (headers: RawHeaders): boolean =>
  json.test(headerValue(headers, 'content-type') ?? '') && headerValue(headers, 'content-encoding') === undefined;
