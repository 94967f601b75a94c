import type { RawHeaders } from '../../plugins/sdk/http/http.ts';

/** Shorter texts may occur inside others by chance. */
const minTextBytes = 8;

/** Whether a value contains a text: after a scheme (`Bearer …`), or anywhere. */
export const holdsText = (value: string, text: string): boolean =>
  text.length < minTextBytes ? value === text || value.endsWith(` ${text}`) : value.includes(text);

/** Returns the headers without those whose value contains a text. */
export const withoutText = (headers: RawHeaders, text: string): RawHeaders => {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    if (!holdsText(value, text)) kept.push(headers[at] ?? '', value);
  }
  return kept.length === headers.length ? headers : kept;
};
