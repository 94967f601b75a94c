import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CacheDefinition } from '../cache/cache.ts';
import type { ChooserDefinition } from '../chooser/chooser.ts';
import type { Dialect, LazyDialect } from '../dialect/dialect.ts';
import type { Guardrail } from '../guardrail/guardrail.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Cancellation } from '../http/http.ts';
import type { PluginModels } from '../models/plugin-models.ts';
import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';
import type { Provider } from '../provider/provider.ts';
import type { AnyRouteRow, Dispatch } from '../route/route-row.ts';
import type { LazyLogSink, LogSink } from '../sink/sink.ts';

/** The version of this SDK's contract. A plugin for another version is refused by name. */
export const pluginApi = 1;

/**
 * The version of this SDK, which packages name a range of: `"gatewright": { "sdk": "^1.0.0" }` in package.json. A minor
 * version adds to it; a major one has another `pluginApi`.
 */
export const sdkVersion = '1.0.0';

/**
 * The parts of its surroundings that a plugin uses. It is shown to operators, and held where a plugin is isolated:
 * there it reaches nothing else.
 */
export interface PluginPermissions {
  /** Hosts that it calls through `services.http`: `api.acme.example`, `*.acme.example`, `10.0.0.7:8080`. */
  readonly hosts?: readonly string[];
  /** Names of the environment variables that it reads. */
  readonly environment?: readonly string[];
  /** Names of the hooks that it taps. */
  readonly hooks?: readonly string[];
}

/** Everything that a package adds to the gateway: named things and taps. */
export interface Plugin {
  /** The package's name. */
  readonly name: string;
  readonly api: typeof pluginApi;
  /** The schema of `plugins[].options` in the gateway file; no options are allowed if absent. */
  readonly options?: ParameterSchema;
  /** Packages may declare them in package.json instead, as `gatewright.permissions`, where they are read before any code runs. */
  readonly permissions?: PluginPermissions;
  /** The hash of its files as they are in service. Set by the gateway that loads it, and recorded in the plans that need the plugin. */
  readonly integrity?: () => ContentHash;
  readonly providers?: readonly Provider[];
  /** Loads what it knows of the models of its providers. Called only where somebody asks for facts of models. */
  readonly models?: () => Promise<PluginModels>;
  readonly dialects?: readonly (Dialect | LazyDialect)[];
  readonly guardrails?: readonly Guardrail[];
  /** Modes of caching. */
  readonly caches?: readonly CacheDefinition[];
  /** Ways to balance. */
  readonly choosers?: readonly ChooserDefinition[];
  /** Receivers of the log. They run in a thread of their own, in which nothing else of the plugin is. */
  readonly sinks?: readonly (LogSink | LazyLogSink)[];
  /**
   * Endpoints of the control plane. Their first segments are theirs alone, unless they are `shared`: nothing below these is
   * passed to a provider.
   */
  readonly routes?: readonly AnyRouteRow[];
  /** Taps hooks; the options are valid and their defaults filled in. */
  apply?(hooks: Hooks, options: JsonObject): void;
  /**
   * Called once in each process that serves, when it does: begins what no request asks for. It ends with the hook `close`.
   * Without a store, a gateway of several workers refuses plugins that have it.
   */
  start?(gateway: RunningGateway): void;
}

/** The requests that a plugin can make of the gateway outside of requests. */
export interface RunningGateway {
  /** Requests to the data path under a trace id, until they are cancelled. */
  dispatch(caller: { readonly traceId: string; readonly cancellation: Cancellation }): Dispatch;
}

/** A plugin as its author writes it, for `definePlugin`. */
export interface PluginDefinition<Schema extends ParameterSchema>
  extends Omit<Plugin, 'api' | 'integrity' | 'options' | 'apply'> {
  readonly options?: Schema;
  apply?(hooks: Hooks, options: FromSchema<Schema>): void;
}

/** Makes a plugin of what it provides. */
export const definePlugin = <const Schema extends ParameterSchema = { type: 'object' }>(
  definition: PluginDefinition<Schema>,
): Plugin => ({ ...definition, api: pluginApi }) as Plugin;

/**
 * Lets a plugin tap hooks. Throws what its `apply` throws, and a `TypeError` where that gives a promise: the hooks are sealed
 * by the time it goes on, and a policy that fails then would admit everything.
 */
export const callApply = (plugin: Plugin, hooks: Hooks, options: JsonObject): void => {
  const given: unknown = plugin.apply?.(hooks, options);
  if (!(given instanceof Promise)) return;
  given.catch(() => {});
  throw new TypeError('it may not be async, since a hook that it taps later is never called');
};
