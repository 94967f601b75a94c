import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
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

/** The version of this SDK's contract. The gateway rejects a plugin for another version, and names it. */
export const pluginApi = 1;

/**
 * The version of this SDK. A package declares the range that it supports in package.json: `"gatewright": { "sdk": "^1.0.0" }`.
 * Minor versions only add to the SDK; a major version also changes `pluginApi`.
 */
export const sdkVersion = '1.0.0';

/**
 * The permissions that a plugin declares. They are shown to operators, and enforced if the plugin is isolated: it can then reach
 * nothing else.
 */
export interface PluginPermissions {
  /** The hosts that it calls through `services.http`: `api.acme.example`, `*.acme.example`, `10.0.0.7:8080`. */
  readonly hosts?: readonly string[];
  /** The names of the environment variables that it reads. */
  readonly environment?: readonly string[];
  /** The names of the hooks that it taps. */
  readonly hooks?: readonly string[];
}

/** Everything that a package adds to the gateway: providers, checks and other items with names, and taps of hooks. */
export interface Plugin {
  /** The name of the package. */
  readonly name: string;
  readonly api: typeof pluginApi;
  /** The schema of `plugins[].options` in the gateway file. If absent, the plugin accepts no options. */
  readonly options?: ParameterSchema;
  /**
   * A package may declare them in package.json instead, as `gatewright.permissions`. There they are read before any code runs.
   */
  readonly permissions?: PluginPermissions;
  /**
   * Returns the hash of the plugin's files as loaded. Set by the gateway that loads the plugin, and recorded in the plans that
   * need it.
   */
  readonly integrity?: () => ContentHash;
  readonly providers?: readonly Provider[];
  /** Loads the plugin's facts about the models of its providers. Called only when model facts are needed. */
  readonly models?: () => Promise<PluginModels>;
  readonly dialects?: readonly (Dialect | LazyDialect)[];
  readonly guardrails?: readonly Guardrail[];
  /** Modes of caching. */
  readonly caches?: readonly CacheDefinition[];
  /** Ways to balance load. */
  readonly choosers?: readonly ChooserDefinition[];
  /** Log sinks. They run in a separate thread, which contains nothing else of the plugin. */
  readonly sinks?: readonly (LogSink | LazyLogSink)[];
  /**
   * Endpoints of the control plane. The first segments of their paths belong to them alone, unless they are `shared`: nothing
   * below these segments is passed to a provider.
   */
  readonly routes?: readonly AnyRouteRow[];
  /** Taps hooks. The options are valid and have their defaults filled in. */
  apply?(hooks: Hooks, options: JsonObject): void;
  /**
   * Called once in each serving process when it starts to serve. Starts background work that no request triggers; stop that work
   * in the hook `close`. A gateway with several workers and no store rejects plugins that have this method.
   */
  start?(gateway: RunningGateway): void;
}

/** The gateway as a plugin can use it outside of requests. */
export interface RunningGateway {
  /** Creates a function that sends requests to the data path under a trace ID, until `cancellation` is cancelled. */
  dispatch(caller: { readonly traceId: string; readonly cancellation: Cancellation }): Dispatch;
}

/** The definition of a plugin, as passed to `definePlugin`. */
export interface PluginDefinition<Schema extends ParameterSchema>
  extends Omit<Plugin, 'api' | 'integrity' | 'options' | 'apply'> {
  readonly options?: Schema;
  apply?(hooks: Hooks, options: FromSchema<Schema>): void;
}

/** Defines a plugin. */
export const definePlugin = <const Schema extends ParameterSchema = { type: 'object' }>(
  definition: PluginDefinition<Schema>,
): Plugin => ({ ...definition, api: pluginApi }) as Plugin;

/** The errors of the hook library for a tap without a name. */
const namelessTap: ReadonlySet<string> = new Set(['Invalid tap options', 'Missing name for tap']);

const wrongTap = (hook: string, cause?: unknown): TypeError =>
  new TypeError(
    `a tap of the hook "${hook}" needs the name of the plugin and a function: ${hook}.tap(name, function)`,
    { cause },
  );

const unknownHook = (name: string, hooks: Hooks, cause: unknown): TypeError => {
  const hint = suggestName(name, Object.keys(hooks), 'docs/reference/sdk/hooks.md lists all');
  return new TypeError(`there is no hook "${name}". ${hint}`, { cause });
};

/** Returns the error of a plugin that failed after it read the hook `name`, with the mistake that caused it if there is one. */
const appliedError = (error: unknown, name: string | undefined, hooks: Hooks): unknown => {
  if (name === undefined || !(error instanceof Error)) return error;
  if (namelessTap.has(error.message)) return wrongTap(name, error);
  return error instanceof TypeError && !(name in hooks) ? unknownHook(name, hooks, error) : error;
};

const hasEmptyTap = (hook: object): boolean =>
  'taps' in hook && (hook as Hooks['request']).taps.some(({ fn }) => typeof fn !== 'function');

/**
 * Calls `apply` of a plugin. Throws what `apply` throws, and a `TypeError` that names the hook if it does not exist or is tapped
 * without a name or a function. Throws a `TypeError` too if `apply` returns a promise: the hooks are sealed before the promise
 * settles, and a policy that fails then would admit everything.
 */
export const callApply = (plugin: Plugin, hooks: Hooks, options: JsonObject): void => {
  let read: string | undefined;
  const watched = new Proxy(hooks, {
    get: (all, name) => {
      if (typeof name === 'string') read = name;
      return Reflect.get(all, name);
    },
  });
  let given: unknown;
  try {
    given = plugin.apply?.(watched, options);
  } catch (error) {
    throw appliedError(error, read, hooks);
  }
  const empty = Object.entries(hooks).find(([, hook]) => hasEmptyTap(hook));
  if (empty !== undefined) throw wrongTap(empty[0]);
  if (!(given instanceof Promise)) return;
  given.catch(() => {});
  throw new TypeError('it must not be async, because hooks that it taps later are never called');
};
