import { colon, isSpace, quote } from '../../../schema/json/json-bytes.ts';

const at = 0x40;
const modelKey: Buffer = Buffer.from('"model"');

/** How many "@" are examined one by one. Beyond that, parsing is cheaper. */
const maxLooks = 1000;

/** Returns the offset of the last byte before `end` that is not white space. */
const lastBefore = (bytes: Buffer, end: number): number => {
  let last = end - 1;
  while (isSpace(bytes[last])) last -= 1;
  return last;
};

/** Whether the string that begins at `start` is the value of a member `model`. */
const isModel = (bytes: Buffer, start: number): boolean => {
  const before = lastBefore(bytes, start);
  if (bytes[before] !== colon) return false;
  const keyEnd = lastBefore(bytes, before);
  if (bytes[keyEnd] !== quote) return false;
  const from = keyEnd + 1 - modelKey.length;
  return from >= 0 && bytes.compare(modelKey, 0, modelKey.length, from, keyEnd + 1) === 0;
};

/**
 * Whether a member `model` of the JSON text `bytes`, at any depth, may begin with "@". Such bodies are parsed. Most others have
 * no "@" at all, which a single search of the bytes shows.
 */
export const mayNameSlug = (bytes: Buffer): boolean => {
  let looks = 0;
  for (let found = bytes.indexOf(at); found !== -1; found = bytes.indexOf(at, found + 1)) {
    looks += 1;
    if (looks > maxLooks) return true;
    if (bytes[found - 1] === quote && isModel(bytes, found - 1)) return true;
  }
  return false;
};
