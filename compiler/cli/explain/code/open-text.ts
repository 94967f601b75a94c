/** Replaces the placeholders of a table's text by ellipses. */
export const leftOpen = (text: string): string => text.replaceAll(/(?<!\$)\{\w+\}/g, '…');

/** Returns the hint of a table as a list, which is empty if each finding has its own hint. */
export const ownHint = (hint: string): readonly string[] => (/^\{\w+\}$/.test(hint) ? [] : [leftOpen(hint)]);
