import type { RawHeaders } from './http.ts';

const nameAt = (headers: RawHeaders, at: number): string => headers[at - (at % 2)]?.toLowerCase() ?? '';

/** Returns the headers with these names, which must be in lower case. */
export const onlyNames = (headers: RawHeaders, names: readonly string[]): RawHeaders =>
  headers.filter((_, at) => names.includes(nameAt(headers, at)));

/** Returns the headers without these names, which must be in lower case. */
export const withoutNames = (headers: RawHeaders, names: readonly string[]): RawHeaders =>
  headers.filter((_, at) => !names.includes(nameAt(headers, at)));
