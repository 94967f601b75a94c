import { type CacheDefinition, defineCache, type SemanticOptions } from '../../sdk/cache.ts';
import type { Timers } from '../../sdk/in-process.ts';
import { semanticCache } from './semantic-cache.ts';
import { memoryVectors } from './vectors/memory-vectors.ts';
import { postgresVectors } from './vectors/postgres-vectors.ts';
import type { Vectors } from './vectors/vectors.ts';

const vectorsOf = ({ url, timeoutMs, maxBytes }: SemanticOptions, timers: Timers): Vectors =>
  url === undefined ? memoryVectors({ maxBytes }, timers) : postgresVectors({ url, timeoutMs }, timers);

/**
 * The answer to the same request, or to one that asks the same in other words. Where the gateway makes no vectors, only
 * to the same request.
 */
export const semantic: CacheDefinition = defineCache({
  mode: 'semantic',
  // The time for vectors is bounded by an option, up to five seconds.
  readMs: 5200,
  create({ semantic: options }, { timers, embed, cache }) {
    const exact = cache('simple');
    if (exact === undefined) throw new Error('The mode "semantic" needs the mode "simple", which no plugin provides.');
    if (options === undefined || embed === undefined) return exact;
    return semanticCache({ exact, vectors: vectorsOf(options, timers), embed, options, timers });
  },
});
