import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import type { CacheEntry } from '../../sdk/cache/cache.ts';

/** The first byte of a stored value. Other formats have other numbers, and are not read. */
const format = 1;
const prefixBytes = 5;

/** Encodes an entry as one value: the format, the length of its head in four bytes, the head as JSON, and the body. */
export const toEntryBytes = ({ body, ...head }: CacheEntry): Buffer => {
  const text = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt8(format);
  prefix.writeUInt32BE(text.length, 1);
  return Buffer.concat([prefix, text, body]);
};

const isText = (value: unknown): value is string => typeof value === 'string';

/** Decodes an entry. Returns undefined if the value is not an entry, whoever wrote it. */
export const fromEntryBytes = (bytes: Buffer): CacheEntry | undefined => {
  if (bytes.length < prefixBytes || bytes.readUInt8() !== format) return undefined;
  const bodyAt = prefixBytes + bytes.readUInt32BE(1);
  if (bodyAt > bytes.length) return undefined;
  try {
    const head: unknown = fromJson(bytes.toString('utf8', prefixBytes, bodyAt));
    if (!isJsonObject(head)) return undefined;
    const { headers, isStream, storedAt } = head;
    if (!Array.isArray(headers) || !headers.every(isText) || headers.length % 2 !== 0) return undefined;
    if (typeof isStream !== 'boolean' || typeof storedAt !== 'number') return undefined;
    return { headers, isStream, storedAt, body: bytes.subarray(bodyAt) };
  } catch {
    return undefined;
  }
};
