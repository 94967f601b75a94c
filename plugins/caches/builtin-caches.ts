import type { CacheDefinition } from '../sdk/cache/cache.ts';
import { semantic } from './semantic/semantic.ts';
import { simple } from './simple.ts';

/** Every mode of caching that comes with the gateway, sorted by mode. */
export const builtinCaches: readonly CacheDefinition[] = [semantic, simple];
