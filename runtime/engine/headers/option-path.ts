import { LRUCache } from 'lru-cache';
import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';

// Leaves answer many times, but callers' configs bring any number of them.
const optionPaths = new LRUCache<JsonPointer, string>({ max: 1000 });

/** The place of a leaf as headers of answers write it: what `toOptionPath` gives, which takes longer to make than to find. */
export const optionPath = (path: JsonPointer): string => {
  const known = optionPaths.get(path);
  if (known !== undefined) return known;
  const written = toOptionPath(path);
  optionPaths.set(path, written);
  return written;
};
