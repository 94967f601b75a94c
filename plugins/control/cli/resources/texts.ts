import { stripVTControlCharacters } from 'node:util';
import { escapeUnprintableJson } from '../../../../schema/json/escape-unprintable-json.ts';
import { isJsonObject, isTexts, type Json, writtenText } from '../../../../schema/json/json.ts';
import { problemText } from '../../../sdk/logs/problem-text.ts';

/** Writes a value as JSON on one line, for programs and terminals. */
export const jsonLine = (value: Json): string => `${escapeUnprintableJson(JSON.stringify(value))}\n`;

/**
 * Writes a value as JSON for programs and terminals, with a line break at the end. Characters that a terminal would not display
 * are escaped.
 */
export const jsonOutput = (value: Json): string => `${escapeUnprintableJson(JSON.stringify(value, undefined, 2))}\n`;

/** The character that joins two emoji into one. */
const joiner = /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/u;

const unseen = new RegExp(`(?!${joiner.source})[\\p{Cc}\\p{Cf}]`, 'gu');
const unseenInText = new RegExp(`(?![\\n\\t]|${joiner.source})[\\p{Cc}\\p{Cf}]`, 'gu');

/**
 * Cleans a multi-line text from elsewhere for a terminal: removes escape sequences, control characters, marks that change the
 * direction of writing, and other invisible characters. The result ends with a line break.
 */
export const printableText = (text: string): string => `${printablePart(text).replace(/\n$/, '')}\n`;

/** Cleans a part of such a text, which may end anywhere. */
export const printablePart = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n')
    .replace(unseenInText, '')
    .replace(/\p{Cs}/gu, '\uFFFD');

/** Cleans a text from elsewhere in the same way, on one line, for a name. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
    .replace(unseen, '')
    .replace(/\p{Cs}/gu, '\uFFFD');

/**
 * How a member is shown: unchanged, as the time that its seconds since the epoch stand for, as the first names of a list, or as a
 * sentence about what is wrong with a request.
 */
export type CellKind = 'value' | 'time' | 'names' | 'problem';

const maxNames = 3;

const maxSeconds = 8_640_000_000_000;

/** Formats a time in UTC, to the second: `2026-11-20T09:30:00Z`. */
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

const namesText = (names: readonly string[], max: number): string => {
  if (names.length === 0) return '-';
  const others = names.length - max;
  return printable(names.slice(0, max).join(', ')) + (others > 0 ? ` and ${others} more` : '');
};

/** Formats a member of a response on one line; a member that is absent or null becomes a dash. */
export const cellText = (value: Json | undefined, kind: CellKind = 'value'): string => {
  if (value === undefined || value === null || value === '') return '-';
  if (kind === 'time' && typeof value === 'number' && Math.abs(value) <= maxSeconds) return timeText(value);
  if (kind === 'problem' && isJsonObject(value)) return printable(problemText(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isTexts(value)) return namesText(value, kind === 'names' ? maxNames : value.length);
  return printable(writtenText(value));
};

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters that take two columns in a terminal: the scripts of East Asia, and emoji. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.*\ufe0f)/u;
const zero = /^[\p{Mn}\p{Me}]+$/u;

const ascii = /^[\x20-\x7e]*$/;

const partWidth = (part: string): number => (zero.test(part) ? 0 : wide.test(part) ? 2 : 1);

/** Returns the width of a printable text in terminal columns: each visible character counts once, a wide one twice. */
export const textWidth = (text: string): number =>
  ascii.test(text)
    ? text.length
    : [...graphemes.segment(text)].reduce((width, { segment }) => width + partWidth(segment), 0);

/** Truncates a printable text to a number of columns; a truncated text ends with an ellipsis. */
export const cutText = (text: string, max: number): string => {
  if (textWidth(text) <= max) return text;
  let width = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    width += partWidth(segment);
    if (width > max - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
};

/** Pads a printable text with spaces to a number of columns. */
export const padText = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)));

const gap = 2;
/** The minimum width to which a column is reduced. */
const minWidth = 8;

interface TableOptions {
  readonly head: readonly string[];
  /** Printable texts, one for each column. */
  readonly rows: readonly (readonly string[])[];
  /** The maximum width of a line, in columns; unlimited if absent. */
  readonly width?: number | undefined;
}

const sumTotal = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + width, gap * (widths.length - 1));

/** Reduces the widest columns, so that short ones are not truncated. */
const fitted = (natural: readonly number[], width: number): readonly number[] => {
  const widths = [...natural];
  while (sumTotal(widths) > width) {
    const widest = Math.max(...widths);
    if (widest <= minWidth) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
};

/** Formats a table with aligned columns, one line for each row. If lines would be too long, the longest cells are truncated. */
export const tableText = ({ head, rows, width }: TableOptions): string => {
  const lines = [head, ...rows];
  const natural = head.map((_, column) => Math.max(...lines.map((cells) => textWidth(cells[column] ?? ''))));
  const widths = width === undefined ? natural : fitted(natural, width);
  return lines
    .map((cells) => {
      const padded = cells.map((cell, column) => padText(cutText(cell, widths[column] ?? 0), widths[column] ?? 0));
      return `${padded.join(' '.repeat(gap)).trimEnd()}\n`;
    })
    .join('');
};
