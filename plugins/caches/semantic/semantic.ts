import { type CacheDefinition, defineCache } from '../../sdk/cache/cache.ts';
import { lateCache } from '../../sdk/cache/late-cache.ts';

/**
 * Returns the answer to the same request, or to one that asks the same in other words. If the gateway cannot compute vectors,
 * only to the same request.
 */
export const semantic: CacheDefinition = defineCache({
  mode: 'semantic',
  // The time for vectors is limited by an option, to at most five seconds.
  readMs: 5200,
  create({ semantic: options }, { timers, embed, cache, sharedVectors }) {
    const exact = cache('simple');
    if (exact === undefined) throw new Error('The mode "semantic" needs the mode "simple", which no plugin provides.');
    if (options === undefined || embed === undefined) return exact;
    return lateCache({
      claims: exact.claim !== undefined,
      load: async () => {
        const { openSemanticCache } = await import('./open-semantic-cache.ts');
        return openSemanticCache({ exact, embed, options, timers, sharedVectors });
      },
    });
  },
});
