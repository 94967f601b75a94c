import type { ResponseCache, SemanticOptions } from '../../sdk/cache/cache.ts';
import type { Vectors } from '../../sdk/cache/vectors.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { memoryVectors } from './memory-vectors.ts';
import { postgresVectors } from './postgres-vectors.ts';
import { type SemanticCacheOptions, semanticCache } from './semantic-cache.ts';

interface OpenSemanticCacheOptions extends Omit<SemanticCacheOptions, 'vectors'> {
  /** The vectors in the one process that keeps them in memory for all workers. */
  readonly sharedVectors?: Vectors | undefined;
}

const toVectors = (
  { url, timeoutMs, maxBytes }: SemanticOptions,
  { timers, sharedVectors }: { readonly timers: Timers; readonly sharedVectors?: Vectors | undefined },
): Vectors => {
  if (url !== undefined) return postgresVectors({ url, timeoutMs }, timers);
  return sharedVectors ?? memoryVectors({ maxBytes }, timers);
};

/** Opens the semantic cache, with its vectors in the place that the options specify. */
export const openSemanticCache = ({ sharedVectors, ...options }: OpenSemanticCacheOptions): ResponseCache =>
  semanticCache({ ...options, vectors: toVectors(options.options, { timers: options.timers, sharedVectors }) });
