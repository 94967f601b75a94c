import { builtinDialects } from './dialects/builtin-dialects.ts';
import { builtinGuardrails } from './guardrails/builtin-guardrails.ts';
import { builtinProviders } from './providers/builtin-providers.ts';
import { definePlugin, type Plugin } from './sdk/plugin.ts';

/** Every first-party plugin, sorted by name. They use only what third-party plugins can use. */
export const builtinPlugins: readonly Plugin[] = [
  definePlugin({ name: 'gatewright/dialects', dialects: builtinDialects }),
  definePlugin({ name: 'gatewright/guardrails', guardrails: builtinGuardrails }),
  definePlugin({ name: 'gatewright/providers', providers: builtinProviders }),
];
