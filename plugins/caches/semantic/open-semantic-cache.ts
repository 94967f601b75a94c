import type { ResponseCache, SemanticOptions } from '../../sdk/cache/cache.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { type SemanticCacheOptions, semanticCache } from './semantic-cache.ts';
import { memoryVectors } from './vectors/memory-vectors.ts';
import { postgresVectors } from './vectors/postgres-vectors.ts';
import type { Vectors } from './vectors/vectors.ts';

const toVectors = ({ url, timeoutMs, maxBytes }: SemanticOptions, timers: Timers): Vectors =>
  url === undefined ? memoryVectors({ maxBytes }, timers) : postgresVectors({ url, timeoutMs }, timers);

/** The semantic cache, with its vectors where the options say. */
export const openSemanticCache = (options: Omit<SemanticCacheOptions, 'vectors'>): ResponseCache =>
  semanticCache({ ...options, vectors: toVectors(options.options, options.timers) });
