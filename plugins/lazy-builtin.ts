import { lazyDialects } from './dialects/lazy-dialects.ts';
import { firstParty } from './first-party.ts';
import { lazyGuardrails } from './guardrails/lazy-guardrails.ts';
import { lazyProviders } from './providers/lazy-providers.ts';
import type { Plugin } from './sdk/plugin/plugin.ts';

/** Every first-party plugin, with dialects, checks and rows of providers that are loaded when they are needed. */
export const lazyBuiltinPlugins: readonly Plugin[] = firstParty(lazyDialects, lazyGuardrails, lazyProviders);
