import { backslash } from './json-bytes.ts';

/** Returns the offset of the closing quote of the JSON string that begins at `at`, or the end of the text. */
export const stringEnd = (text: string, at: number): number => {
  let end = text.indexOf('"', at + 1);
  while (end !== -1) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};
