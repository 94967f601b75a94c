import { builtinCaches } from './caches/builtin-caches.ts';
import { lateChoosers } from './choosers/late-choosers.ts';
import type { Dialect, LazyDialect } from './sdk/dialect/dialect.ts';
import type { Guardrail } from './sdk/guardrail/guardrail.ts';
import { definePlugin, type Plugin } from './sdk/plugin/plugin.ts';
import type { Provider } from './sdk/provider/provider.ts';
import type { LazyLogSink } from './sdk/sink/sink.ts';

const lateSink = (id: string): LazyLogSink => ({
  id,
  load: async () => (await import('./sinks/builtin-sinks.ts')).loadBuiltinSink(id),
});

/** Every first-party plugin, sorted by name. They use only what third-party plugins can use. */
export const firstParty = (
  dialects: readonly (Dialect | LazyDialect)[],
  guardrails: readonly Guardrail[],
  providers: readonly Provider[],
): readonly Plugin[] => [
  definePlugin({ name: 'gatewright/caches', caches: builtinCaches }),
  definePlugin({ name: 'gatewright/choosers', choosers: lateChoosers }),
  definePlugin({ name: 'gatewright/dialects', dialects }),
  definePlugin({ name: 'gatewright/guardrails', guardrails }),
  definePlugin({
    name: 'gatewright/providers',
    providers,
    models: async () => (await import('./providers/provider-models.ts')).providerModels,
  }),
  definePlugin({ name: 'gatewright/sinks', sinks: ['webhook', 's3', 'langfuse', 'datadog'].map(lateSink) }),
];
