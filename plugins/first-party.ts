import { builtinCaches } from './caches/builtin-caches.ts';
import { builtinGuardrails } from './guardrails/builtin-guardrails.ts';
import { builtinProviders } from './providers/builtin-providers.ts';
import type { Dialect, LazyDialect } from './sdk/dialect.ts';
import { definePlugin, type Plugin } from './sdk/plugin.ts';

/** Every first-party plugin, sorted by name. They use only what third-party plugins can use. */
export const firstParty = (dialects: readonly (Dialect | LazyDialect)[]): readonly Plugin[] => [
  definePlugin({ name: 'gatewright/caches', caches: builtinCaches }),
  definePlugin({ name: 'gatewright/dialects', dialects }),
  definePlugin({ name: 'gatewright/guardrails', guardrails: builtinGuardrails }),
  definePlugin({ name: 'gatewright/providers', providers: builtinProviders }),
];
