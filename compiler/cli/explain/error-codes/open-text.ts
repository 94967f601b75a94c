/** Replaces the placeholders of a table's text by ellipses. */
export const withoutPlaceholders = (text: string): string => text.replaceAll(/(?<!\$)\{\w+\}/g, '…');

/** Returns the hint of a table as a list, which is empty if each finding has its own hint. */
export const fixedHint = (hint: string): readonly string[] =>
  /^\{\w+\}$/.test(hint) ? [] : [withoutPlaceholders(hint)];
