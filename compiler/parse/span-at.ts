import type { Span } from '../../schema/diagnostic.ts';

/** The span of a piece of a text, kept inside it. Lines end at `\n`, `\r\n` or `\r`. */
export const spanAt = (text: string, offset: number, length: number): Span => {
  const from = Math.min(offset, text.length);
  const before = text.slice(0, from);
  const breaks = before.match(/\r\n|\n|\r/g)?.length ?? 0;
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return { offset: from, length: Math.min(length, text.length - from), line: breaks + 1, column: from - lineStart + 1 };
};
