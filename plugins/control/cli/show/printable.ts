import { stripVTControlCharacters } from 'node:util';
import type { Json } from '../../../../schema/json/json.ts';
import { seenJson } from '../../../../schema/json/seen-json.ts';

/** A value as JSON on one line, for programs and terminals. */
export const jsonLine = (value: Json): string => `${seenJson(JSON.stringify(value))}\n`;

/** A value as JSON for programs and terminals: what a terminal would not show as a character is escaped. Ends with a line break. */
export const jsonOutput = (value: Json): string => `${seenJson(JSON.stringify(value, undefined, 2))}\n`;

/** The character that joins two emoji to one that is drawn. */
const joiner = /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/u;

const unseen = new RegExp(`(?!${joiner.source})[\\p{Cc}\\p{Cf}]`, 'gu');
const unseenInText = new RegExp(`(?![\\n\\t]|${joiner.source})[\\p{Cc}\\p{Cf}]`, 'gu');

/**
 * A text of others for a terminal, with its lines: without escape sequences, control characters, marks that change the
 * direction of writing, and other characters that are not seen. It ends with a line break.
 */
export const printableText = (text: string): string => `${printablePart(text).replace(/\n$/, '')}\n`;

/** A part of such a text, which may end anywhere. */
export const printablePart = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n')
    .replace(unseenInText, '')
    .replace(/\p{Cs}/gu, '\uFFFD');

/** Cleans a text of others in the same way, on one line, for a name. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
    .replace(unseen, '')
    .replace(/\p{Cs}/gu, '\uFFFD');
