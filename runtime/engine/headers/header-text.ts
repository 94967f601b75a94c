import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';

/** The name or value at an offset of header lines; a name that lacks its value has an empty one. */
export const headerText = (lines: RawHeaders, at: number): string => lines[at] ?? '';
