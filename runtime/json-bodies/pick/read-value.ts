import { fromJson } from '../../../schema/json/from-json.ts';
import type { Json } from '../../../schema/json/json.ts';
import { quote } from '../../../schema/json/json-bytes.ts';
import { shortText } from './short-texts.ts';

/** Integers of so many digits are exact. */
const exactDigits = 15;
const [zero, ten] = [0x30, 10];

/** The first letters of literals. */
const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];

/** The number that a value is; undefined if it has other characters than a few digits. */
const toInteger = (bytes: Buffer, from: number, to: number): number | undefined => {
  if (to - from > exactDigits) return undefined;
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit < 0 || digit >= ten) return undefined;
    value = value * ten + digit;
  }
  return value;
};

/** The string between two quotes of a JSON text, which are part of the bytes. */
export const readString = (bytes: Buffer, from: number, to: number): string =>
  shortText(bytes, from + 1, to - 1) ?? fromJson(bytes.toString('utf8', from, to));

/** The value that bytes are which have been checked to be one. */
export const readValue = (bytes: Buffer, from: number, to: number): Json => {
  const first = bytes[from];
  if (first === quote) return readString(bytes, from, to);
  if (first === letterT || first === letterF) return first === letterT;
  if (first === letterN) return null;
  return toInteger(bytes, from, to) ?? fromJson(bytes.toString('utf8', from, to));
};
