/** Characters that nobody sees between the letters of a word: joiners, soft hyphens, marks of direction. */
const unseen =
  /\u034F|[\uFE00-\uFE0F]|[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E01EF}]/gu;

/** A text in which a word is always written alike: compatible letters are one, and nothing invisible is between them. */
export const plainText = (text: string): string => text.normalize('NFKC').replaceAll(unseen, '').toLowerCase();
