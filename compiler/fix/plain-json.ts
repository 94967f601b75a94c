interface Range {
  readonly from: number;
  readonly to: number;
}

/** Extends a range to the spaces before it, and to its whole line if nothing else is on it. */
export const withLine = (text: string, { from, to }: Range): Range => {
  let [start, end] = [from, to];
  while (start > 0 && /[ \t]/.test(text.charAt(start - 1))) start -= 1;
  while (/[ \t]/.test(text.charAt(end))) end += 1;
  const isWholeLine =
    (start === 0 || /[\r\n]/.test(text.charAt(start - 1))) && /^(?:\r\n|\n|\r|$)/.test(text.slice(end, end + 2));
  if (isWholeLine)
    return { from: start, to: end + (/^(?:\r\n|\n|\r)/.exec(text.slice(end, end + 2))?.[0].length ?? 0) };
  const isLast = /^(?:[\r\n]|$)/.test(text.slice(end, end + 1));
  return isLast ? { from: start, to: end } : { from, to };
};

/** Returns the text with a single-quoted string in double quotes; undefined if the string does not end on its line. */
export const straightenQuotes = (text: string, offset: number): string | undefined => {
  const [whole, inside = ''] = /^'((?:[^'\\\r\n]|\\.)*)'/.exec(text.slice(offset)) ?? [];
  if (whole === undefined) return undefined;
  const escaped = inside.replace(/\\'/g, "'").replace(/\\.|"/g, (each) => (each === '"' ? '\\"' : each));
  return `${text.slice(0, offset)}"${escaped}"${text.slice(offset + whole.length)}`;
};
