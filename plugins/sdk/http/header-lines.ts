import type { RawHeaders } from './http.ts';

const nameAt = (headers: RawHeaders, at: number): string => headers[at - (at % 2)]?.toLowerCase() ?? '';

/** The headers that have one of these names, which are in lower case. */
export const onlyNames = (headers: RawHeaders, names: readonly string[]): RawHeaders =>
  headers.filter((_, at) => names.includes(nameAt(headers, at)));

/** The headers that have none of these names, which are in lower case. */
export const withoutNames = (headers: RawHeaders, names: readonly string[]): RawHeaders =>
  headers.filter((_, at) => !names.includes(nameAt(headers, at)));
