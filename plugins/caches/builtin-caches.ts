import type { CacheDefinition } from '../sdk/cache/cache.ts';
import { semantic } from './semantic/semantic.ts';
import { simple } from './simple.ts';

/** All built-in modes of caching, sorted by mode. */
export const builtinCaches: readonly CacheDefinition[] = [semantic, simple];
