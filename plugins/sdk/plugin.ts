import type { JsonObject } from '../../schema/json.ts';
import type { CacheDefinition } from './cache.ts';
import type { Dialect, LazyDialect } from './dialect.ts';
import type { FromSchema, ParameterSchema } from './from-schema.ts';
import type { Guardrail } from './guardrail.ts';
import type { Hooks } from './hooks.ts';
import type { Provider } from './provider.ts';

/** The version of this SDK's contract. A plugin for another version is refused by name. */
export const pluginApi = 1;

/** What a package adds to the gateway: named things and taps. */
export interface Plugin {
  /** The package's name. */
  readonly name: string;
  readonly api: typeof pluginApi;
  /** The schema of `plugins[].options` in the gateway file; no options are allowed if absent. */
  readonly options?: ParameterSchema;
  readonly providers?: readonly Provider[];
  readonly dialects?: readonly (Dialect | LazyDialect)[];
  readonly guardrails?: readonly Guardrail[];
  /** Modes of caching. */
  readonly caches?: readonly CacheDefinition[];
  /** Taps hooks; the options are valid and their defaults filled in. */
  apply?(hooks: Hooks, options: JsonObject): void;
}

export interface PluginDefinition<Schema extends ParameterSchema> extends Omit<Plugin, 'api' | 'options' | 'apply'> {
  readonly options?: Schema;
  apply?(hooks: Hooks, options: FromSchema<Schema>): void;
}

export const definePlugin = <const Schema extends ParameterSchema = { type: 'object' }>(
  definition: PluginDefinition<Schema>,
): Plugin => ({ ...definition, api: pluginApi }) as Plugin;
