import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { closeBrace, closeBracket, comma, isSpace, openBrace, openBracket, quote } from '../../../schema/json-bytes.ts';
import { jsonTextEnd } from './json-text-end.ts';

/** The position of a top-level member's value; `to` is after its last byte. */
interface Member {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

const skipSpace = (text: Buffer, at: number): number => {
  let next = at;
  while (isSpace(text[next])) next += 1;
  return next;
};

const isOpening = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket;
const isClosing = (byte: number | undefined): boolean => byte === closeBrace || byte === closeBracket;

/** The offset after the value that begins at `at`, without the white space that follows it. */
const skipValue = (text: Buffer, at: number): number => {
  let depth = 0;
  let next = at;
  let end = at;
  while (next < text.length) {
    const byte = text[next];
    if (depth === 0 && (byte === comma || isClosing(byte))) return end;
    if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    next = byte === quote ? jsonTextEnd(text, next) + 1 : next + 1;
    if (!isSpace(byte)) end = next;
  }
  return end;
};

const membersOf = (text: Buffer, open: number): readonly Member[] => {
  const members: Member[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] === quote) {
    const keyEnd = jsonTextEnd(text, at) + 1;
    // A key written with escapes is still the same key.
    const key: unknown = JSON.parse(text.toString('utf8', at, keyEnd));
    // After a key there is a colon, and after a value a comma or the end.
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = skipValue(text, from);
    members.push({ key: String(key), from, to });
    at = skipSpace(text, skipSpace(text, to) + 1);
  }
  return members;
};

/**
 * Sets members of the JSON object in `bytes` without rewriting the rest: numbers keep their digits, strings their escapes,
 * and white space stays. Every occurrence of an existing member gets the new value; new members are put first. `bytes`
 * must be valid JSON. The result parses to `{ ...JSON.parse(bytes), ...edits }`.
 */
export const spliceParams = (bytes: Uint8Array, edits: JsonObject): Buffer => {
  const text = toBuffer(bytes);
  const open = skipSpace(text, 0);
  const members = membersOf(text, open);
  const present = new Set(members.map(({ key }) => key));
  const added = Object.entries(edits)
    .filter(([key]) => !present.has(key))
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',');
  const parts: Buffer[] = [text.subarray(0, open + 1)];
  if (added !== '') parts.push(Buffer.from(members.length > 0 ? `${added},` : added));
  let copied = open + 1;
  for (const { key, from, to } of members) {
    if (!Object.hasOwn(edits, key)) continue;
    parts.push(text.subarray(copied, from), Buffer.from(JSON.stringify(edits[key])));
    copied = to;
  }
  parts.push(text.subarray(copied));
  return Buffer.concat(parts);
};
