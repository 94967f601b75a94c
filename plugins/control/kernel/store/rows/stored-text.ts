/** A text as both databases keep it: without U+0000 and halves of surrogate pairs. */
export const storedText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
