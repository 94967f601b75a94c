import type { RawHeaders } from '../../plugins/sdk/http.ts';

/** Shorter texts may occur inside others by chance. */
const leastTelling = 8;

/** The headers without those whose value contains a text: after a scheme (`Bearer …`), or anywhere. */
export const withoutText = (headers: RawHeaders, text: string): RawHeaders => {
  const holds = (value: string): boolean =>
    text.length < leastTelling ? value === text || value.endsWith(` ${text}`) : value.includes(text);
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    if (!holds(value)) kept.push(headers[at] ?? '', value);
  }
  return kept.length === headers.length ? headers : kept;
};
