const beyondLatin1 = /[\u0100-\uffff]/g;

/** A raw template shows the difference between a character and its escape. */
const rawTemplate = /String\.raw`[^`]*[\u0100-\uffff][^`]*`/;

/**
 * Escapes what is beyond Latin-1 in the code of a module. V8 keeps a source in two bytes a character for a single one such as `…`,
 * and in one byte otherwise.
 */
export const latin1Source = (code: string): string => {
  const [raw] = rawTemplate.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`A character of this template cannot be escaped: ${raw}`);
  return code.replaceAll(beyondLatin1, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
};
