import { builtinDialects } from './dialects/builtin-dialects.ts';
import { firstParty } from './first-party.ts';
import { builtinGuardrails } from './guardrails/builtin-guardrails.ts';
import { builtinProviders } from './providers/builtin-providers.ts';
import type { Plugin } from './sdk/plugin/plugin.ts';

/** Every first-party plugin, with all of its code loaded. */
export const builtinPlugins: readonly Plugin[] = firstParty(builtinDialects, builtinGuardrails, builtinProviders);
