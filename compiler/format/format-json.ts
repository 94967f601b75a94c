import { type Container, type Entry, type JsonLayout, type OwnComment, toJsonLayout } from './json-layout.ts';
import { toJsonPieces } from './json-pieces.ts';

/** The maximum length of a line that contains a whole object or list. */
const maxWidth = 120;

const hasComments = ({ before, behind }: Entry): boolean => before.length + behind.length > 0;

/** Lists of several objects, or of several lists, are easier to read with one line per item. */
const isTable = ({ open, entries }: Container): boolean =>
  open === '[' &&
  entries.length > 1 &&
  entries.every(({ value }) => typeof value !== 'string' && value.entries.length > 1) &&
  new Set(entries.map(({ value }) => (typeof value === 'string' ? '' : value.open))).size === 1;

/** Aligns the asterisks of a block comment whose lines begin with them. Other comments stay unchanged. */
const aligned = (comment: string, indent: string): string => {
  const [first = '', ...others] = comment.split(/\r\n|\n|\r/).map((line) => line.trimEnd());
  const isColumn = others.every((line) => line.trimStart().startsWith('*'));
  return [first, ...(isColumn ? others.map((line) => `${indent} ${line.trimStart()}`) : others)].join('\n');
};

class Writer {
  readonly #inLine = new WeakMap<Container, string>();

  /** Writes a value on one line; `undefined` if it needs several lines, or is longer than a line may be. */
  #toLine(value: JsonLayout): string | undefined {
    if (typeof value === 'string') return value;
    const known = this.#inLine.get(value);
    if (known !== undefined) return known === '' ? undefined : known;
    const line = this.#joined(value);
    this.#inLine.set(value, line ?? '');
    return line;
  }

  #joined(container: Container): string | undefined {
    const { open, isOpened, atBracket, entries, last } = container;
    if (atBracket.length + last.length > 0 || entries.some(hasComments) || isTable(container)) return undefined;
    if (entries.length === 0) return open === '{' ? '{}' : '[]';
    if (open === '{' && isOpened) return undefined;
    const parts: string[] = [];
    let length = 0;
    for (const { key, value } of entries) {
      const line = this.#toLine(value);
      if (line === undefined) return undefined;
      parts.push(key === undefined ? line : `${key}: ${line}`);
      length += (parts.at(-1)?.length ?? 0) + 2;
      if (length > maxWidth) return undefined;
    }
    const inside = parts.join(', ');
    return open === '{' ? `{ ${inside} }` : `[${inside}]`;
  }

  /** Writes a value that begins at a column of a line. */
  value(value: JsonLayout, indent: string, column: number): string {
    const line = this.#toLine(value);
    if (typeof value === 'string') return value;
    // Includes the comma that may follow.
    if (line !== undefined && (column + line.length + 1 <= maxWidth || value.entries.length === 0)) return line;
    const inner = `${indent}  `;
    const { open, atBracket, entries, last } = value;
    return [
      [open, ...atBracket].join(' '),
      ...this.entries(entries, inner),
      ...this.comments(last, inner, entries.length === 0),
      `${indent}${open === '{' ? '}' : ']'}`,
    ].join('\n');
  }

  entries(entries: readonly Entry[], indent: string): readonly string[] {
    return entries.map((entry, index) =>
      this.entry(entry, { indent, isFirst: index === 0, isLast: index === entries.length - 1 }),
    );
  }

  entry(
    { before, hasBlankBefore, key, value, behind }: Entry,
    { indent, isFirst, isLast }: { readonly indent: string; readonly isFirst: boolean; readonly isLast: boolean },
  ): string {
    const name = key === undefined ? '' : `${key}: `;
    const comments = this.comments(before, indent, isFirst);
    const isBlank = hasBlankBefore && !(isFirst && comments.length === 0);
    const text = this.value(value, indent, indent.length + name.length);
    const line = [`${indent}${name}${text}${isLast ? '' : ','}`, ...behind.map((each) => aligned(each, indent))].join(
      ' ',
    );
    return [...comments, `${isBlank ? '\n' : ''}${line}`].join('\n');
  }

  comments(comments: readonly OwnComment[], indent: string, isFirst: boolean): readonly string[] {
    return comments.map(
      ({ text, hasBlankBefore }, index) =>
        `${hasBlankBefore && !(isFirst && index === 0) ? '\n' : ''}${indent}${aligned(text, indent)}`,
    );
  }
}

/**
 * Formats a JSON text without errors, with its comments. Changes only white space, and removes commas before a closing bracket.
 */
export const formatJson = (text: string): string => {
  const { entry, last } = toJsonLayout(toJsonPieces(text));
  const writer = new Writer();
  const root = writer.entry(entry, { indent: '', isFirst: true, isLast: true });
  return `${[root, ...writer.comments(last, '', false)].join('\n')}\n`;
};
