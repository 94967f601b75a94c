import { backslash, quote } from './json-bytes.ts';

/** Returns the offset of the quote that ends the string that begins at `at`, or the end of the bytes. */
export const jsonTextEnd = (bytes: Buffer, at: number): number => {
  let end = bytes.indexOf(quote, at + 1);
  while (end !== -1) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = bytes.indexOf(quote, end + 1);
  }
  return bytes.length;
};
