import type { RawHeaders } from '../../plugins/sdk/http.ts';

/** The headers without those of these names, which are in lower case. */
export const withoutNames = (headers: RawHeaders, names: readonly string[]): RawHeaders =>
  headers.filter((_, at) => !names.includes(headers[at - (at % 2)]?.toLowerCase() ?? ''));
