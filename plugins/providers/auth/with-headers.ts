import { withoutNames } from '../../sdk/http/header-lines.ts';
import type { RawHeaders, UpstreamRequest } from '../../sdk/http/http.ts';

/** Returns the request with these header lines, which replace all lines of the same names. */
export const withHeaders = (request: UpstreamRequest, lines: RawHeaders): UpstreamRequest => {
  const names = lines.flatMap((name, at) => (at % 2 === 0 ? [name.toLowerCase()] : []));
  return { ...request, headers: [...withoutNames(request.headers, names), ...lines] };
};
