import type { Span } from '../../schema/errors/diagnostic.ts';

/** Returns the span of a piece of a text, clipped to the text. */
export type SpanAt = (offset: number, length: number) => Span;

/** Editors do not count a byte order mark. */
const toLineStarts = (text: string): readonly number[] => [
  text.startsWith('\uFEFF') ? 1 : 0,
  ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: ending }) => index + ending.length),
];

/** Creates the function that returns spans in a text. Lines end at `\n`, `\r\n` or `\r`, and are found only once. */
export const toSpans = (text: string): SpanAt => {
  let starts: readonly number[] | undefined;
  return (offset, length) => {
    starts ??= toLineStarts(text);
    const from = Math.min(Math.max(offset, starts[0] ?? 0), text.length);
    let line = 0;
    for (let after = starts.length; after - line > 1; ) {
      const middle = (line + after) >> 1;
      if ((starts[middle] ?? 0) <= from) line = middle;
      else after = middle;
    }
    const column = from - (starts[line] ?? 0) + 1;
    return { offset: from, length: Math.min(length, text.length - from), line: line + 1, column };
  };
};
