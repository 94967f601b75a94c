import type { RawHeaders } from '../../plugins/sdk/http.ts';

/** The headers without those of a name (in lower case). */
export const dropHeader = (headers: RawHeaders, name: string): RawHeaders => {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const candidate = headers[at];
    if (candidate !== undefined && candidate.toLowerCase() !== name) kept.push(candidate, headers[at + 1] ?? '');
  }
  return kept;
};
