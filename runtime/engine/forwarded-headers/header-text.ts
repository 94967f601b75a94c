import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';

/** Returns the name or value at an offset of header lines. A name without a value has an empty one. */
export const headerText = (lines: RawHeaders, at: number): string => lines[at] ?? '';
