/** Invisible characters between the letters of a word: joiners, soft hyphens, direction marks. */
const unseen =
  /\u034F|[\uFE00-\uFE0F]|[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E01EF}]/gu;

/**
 * Normalises a text so that a word is always written in the same way: compatible letters are unified, and invisible characters
 * are removed.
 */
export const plainText = (text: string): string => text.normalize('NFKC').replaceAll(unseen, '').toLowerCase();
