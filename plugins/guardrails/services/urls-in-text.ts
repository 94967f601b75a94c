const url = /https?:\/\/[^\s<>"'`\\^{}|]{1,2000}/gi;
/** Characters that end a sentence or a link rather than a URL. */
const closing: ReadonlySet<string> = new Set('.,;:!?)]*_');

const countCharacter = (text: string, character: string): number => text.split(character).length - 1;

/**
 * Removes trailing characters that do not belong to a URL. A closing bracket does if the URL opens it, as in those of
 * encyclopaedias.
 */
const withoutClosing = (text: string): string => {
  let surplus = countCharacter(text, ')') - countCharacter(text, '(');
  let end = text.length;
  for (; end > 0; end -= 1) {
    const last = text[end - 1] ?? '';
    if (!closing.has(last) || (last === ')' && surplus <= 0)) break;
    if (last === ')') surplus -= 1;
  }
  return text.slice(0, end);
};

/** Returns the URLs in a text, each once and as written: at most `max`, plus one. */
export const urlsInText = (text: string, max: number): readonly string[] => {
  const found = new Set<string>();
  for (const [match] of text.matchAll(url)) {
    found.add(withoutClosing(match));
    if (found.size > max) break;
  }
  return [...found];
};
