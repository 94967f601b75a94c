const beyondLatin1 = /[\u0100-\uffff]/g;

/** A raw template distinguishes a character from its escape. */
const rawTemplate = /String\.raw`[^`]*[\u0100-\uffff][^`]*`/;

/**
 * Escapes characters beyond Latin-1 in the code of a module. For a single one such as `…`, V8 stores a source with two bytes
 * per character instead of one.
 */
export const latin1Source = (code: string): string => {
  const [raw] = rawTemplate.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`A character of this template cannot be escaped: ${raw}`);
  return code.replaceAll(beyondLatin1, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
};
