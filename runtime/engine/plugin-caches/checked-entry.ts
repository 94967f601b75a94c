import type { CacheEntry, CacheRead } from '../../../plugins/sdk/cache/cache.ts';
import { areSendable } from '../../../plugins/sdk/http/sendable-headers.ts';
import { isTexts } from '../../../schema/json/json.ts';

const isHeaders = (headers: unknown): headers is CacheEntry['headers'] =>
  isTexts(headers) && headers.length % 2 === 0 && areSendable(headers);

/**
 * Checks an entry that a cache returns. A plugin that was not type-checked may return anything, of which no answer could be
 * built. Throws a `TypeError` if it is not an entry.
 */
export const checkedEntry = (entry: CacheEntry): CacheEntry => {
  const { headers, body, isStream, storedAt }: Partial<CacheEntry> = Object(entry);
  if (isHeaders(headers) && body instanceof Uint8Array && typeof isStream === 'boolean' && Number.isFinite(storedAt))
    return entry;
  throw new TypeError('It returned something that is not a stored answer.');
};

/** Checks the result of a read. Throws a `TypeError` for a hit without an entry. */
export const checkedRead = (read: CacheRead): CacheRead => {
  // Code that waits for the result handles a cache that returns nothing.
  if (read?.kind === 'hit') checkedEntry(read.entry);
  return read;
};
