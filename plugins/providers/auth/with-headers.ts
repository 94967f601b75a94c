import type { RawHeaders, UpstreamRequest } from '../../sdk/http.ts';

/** The request with these header lines in place of all of the same names. */
export const withHeaders = (request: UpstreamRequest, lines: RawHeaders): UpstreamRequest => {
  const names = new Set(lines.flatMap((name, at) => (at % 2 === 0 ? [name.toLowerCase()] : [])));
  const kept = request.headers.filter((_, at, all) => !names.has((all[at - (at % 2)] ?? '').toLowerCase()));
  return { ...request, headers: [...kept, ...lines] };
};
