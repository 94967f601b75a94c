/** Where a structure ends, and how many characters were read to find it. */
export interface BalancedEnd {
  /** The offset after the closing bracket. Undefined if there is none. */
  readonly end: number | undefined;
  readonly read: number;
}

const partners: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const closing: ReadonlySet<string> = new Set(Object.values(partners));
/** Models do not produce deeper structures, and parsing one could exhaust the stack. */
const deepest = 200;

/** Returns the offset after a string that starts at `start`, or the end of the text if the string is not closed. */
const stringEnd = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
};

/** Finds the end of the object or list that starts at `start`. Brackets inside strings are ignored. */
export const balancedEnd = (text: string, start: number): BalancedEnd => {
  const open: string[] = [];
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    at += 1;
    const partner = partners[character];
    if (partner !== undefined) open.push(partner);
    else if (closing.has(character) && open.pop() !== character) break;
    if (open.length === 0) return { end: at, read: at - start };
    if (open.length > deepest) break;
  }
  return { end: undefined, read: at - start };
};
