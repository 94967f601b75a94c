import type { CacheEntry, CacheRead } from '../../../plugins/sdk/cache/cache.ts';
import { areSendable } from '../../../plugins/sdk/http/sendable-headers.ts';
import { isTexts } from '../../../schema/json/json.ts';

const isHeaders = (headers: unknown): headers is CacheEntry['headers'] =>
  isTexts(headers) && headers.length % 2 === 0 && areSendable(headers);

/**
 * An entry that a cache gives. A plugin that was not type-checked may give anything, of which no answer could be made. Throws a
 * `TypeError` for what is no entry.
 */
export const checkedEntry = (entry: CacheEntry): CacheEntry => {
  const { headers, body, isStream, storedAt }: Partial<CacheEntry> = Object(entry);
  if (isHeaders(headers) && body instanceof Uint8Array && typeof isStream === 'boolean' && Number.isFinite(storedAt))
    return entry;
  throw new TypeError('It gave something else than an answer that was written.');
};

/** The result of a read. Throws a `TypeError` for a hit without an entry. */
export const checkedRead = (read: CacheRead): CacheRead => {
  // A cache that gives nothing is judged by whoever waits for it.
  if (read?.kind === 'hit') checkedEntry(read.entry);
  return read;
};
