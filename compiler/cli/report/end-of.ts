import type { Span } from '../../../schema/errors/diagnostic.ts';

/** Returns the line and the column after the last character of a span. */
export const endOf = (
  { offset, length, line, column }: Span,
  text: string,
): { readonly line: number; readonly column: number } => {
  const [first = '', ...more] = text.slice(offset, offset + length).split(/\r\n|\n|\r/);
  const last = more.at(-1);
  return last === undefined
    ? { line, column: column + first.length }
    : { line: line + more.length, column: last.length + 1 };
};
