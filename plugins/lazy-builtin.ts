import { lazyDialects } from './dialects/lazy-dialects.ts';
import { firstParty } from './first-party.ts';
import type { Plugin } from './sdk/plugin.ts';

/** Every first-party plugin, with dialects that are loaded when they are needed. */
export const lazyBuiltinPlugins: readonly Plugin[] = firstParty(lazyDialects);
