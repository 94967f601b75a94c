const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

const unseen = /[\x7f-\x9f\u2028\u2029\p{Cf}]/gu;

/** Returns a part of a JSON text in which everything that a terminal would not show as a character is escaped. */
export const escapeUnprintableJson = (text: string): string => text.replace(unseen, escaped);
