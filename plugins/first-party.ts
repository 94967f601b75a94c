import { builtinCaches } from './caches/builtin-caches.ts';
import { builtinProviders } from './providers/builtin-providers.ts';
import type { Dialect, LazyDialect } from './sdk/dialect/dialect.ts';
import type { Guardrail } from './sdk/guardrail/guardrail.ts';
import { definePlugin, type Plugin } from './sdk/plugin/plugin.ts';

/** Every first-party plugin, sorted by name. They use only what third-party plugins can use. */
export const firstParty = (
  dialects: readonly (Dialect | LazyDialect)[],
  guardrails: readonly Guardrail[],
): readonly Plugin[] => [
  definePlugin({ name: 'gatewright/caches', caches: builtinCaches }),
  definePlugin({ name: 'gatewright/dialects', dialects }),
  definePlugin({ name: 'gatewright/guardrails', guardrails }),
  definePlugin({ name: 'gatewright/providers', providers: builtinProviders }),
];
