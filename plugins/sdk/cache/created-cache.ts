import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { withoutSecrets } from '../provider/without-secrets.ts';
import type { CacheDefinition, CacheOptions, CacheServices, ResponseCache } from './cache.ts';

const callCreate = (definition: CacheDefinition, options: CacheOptions, services: CacheServices): unknown => {
  try {
    return definition.create(options, services);
  } catch (error) {
    const why = toSentence(withoutSecrets(errorText(error), { url: options.url, vectors: options.semantic?.url }));
    throw new Error(`"create" of the cache mode "${definition.mode}" throws: ${why}`, { cause: error });
  }
};

const isCache = (value: unknown): value is ResponseCache => {
  const { read, write } = Object(value) as Partial<ResponseCache>;
  return typeof read === 'function' && typeof write === 'function';
};

/**
 * Creates the cache of a mode. Throws an `Error` that names the mode if its `create` throws, and a `TypeError` if `create` does
 * not return a cache, for example because it is async: otherwise every request would fail, or be served as if there were no
 * cache.
 */
export const createdCache = (
  definition: CacheDefinition,
  options: CacheOptions,
  services: CacheServices,
): ResponseCache => {
  const cache = callCreate(definition, options, services);
  if (isCache(cache)) return cache;
  throw new TypeError(
    `"create" of the cache mode "${definition.mode}" must return a cache with the functions "read" and "write", and must not be async.`,
  );
};
