/** Where a structure ends, and how many characters were read to find out. */
export interface BalancedEnd {
  /** After its closing bracket; undefined if it has none. */
  readonly end: number | undefined;
  readonly read: number;
}

const partners: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const closing: ReadonlySet<string> = new Set(Object.values(partners));
/** Deeper structures are no answer of a model, and could exhaust the stack of whoever reads them. */
const deepest = 200;

/** The place after a string that begins at `start`; the end of the text if it has no end. */
const stringEnd = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
};

/** The end of the object or list that begins at `start`. Brackets inside strings do not count. */
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
