import type { HookMap, SyncBailHook } from 'tapable';
import { guardrailNames } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { callApply, type Plugin, pluginApi, type RunningGateway } from '../../../plugins/sdk/plugin/plugin.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { PluginError } from './plugin-error.ts';
import { sealHooks } from './seal-hooks.ts';

type Named<Thing> = HookMap<SyncBailHook<[], Thing>>;

/** Registers what a plugin provides under a name. Throws if another plugin already provides the name. */
const provide = <Thing>(hooks: Named<Thing>, name: string, { by, thing, what }: Provided<Thing>): void => {
  const hook = hooks.for(name);
  if (hook.isUsed()) throw new PluginError(`Two plugins provide the ${what} "${name}"; one of them is "${by}".`);
  hook.tap(by, () => thing);
};

interface Provided<Thing> {
  readonly by: string;
  readonly thing: Thing;
  readonly what: string;
}

const failedIn = (step: 'apply' | 'start', { name }: Plugin, cause: unknown): PluginError =>
  new PluginError(`The plugin "${name}" failed in ${step}: ${toSentence(errorText(cause))}`, { cause });

const applyPlugin = (plugin: Plugin, hooks: Hooks, options: JsonObject): void => {
  const { name: by, api, providers = [], dialects = [], guardrails = [], caches = [], choosers = [] } = plugin;
  if (typeof by !== 'string') throw new PluginError('A plugin was not created with definePlugin.');
  if (api !== pluginApi)
    throw new PluginError(
      `The plugin "${by}" requires plugin API ${String(api)}, but this gateway has API ${pluginApi}.`,
    );
  for (const provider of providers)
    for (const name of [provider.id, ...(provider.aliases ?? [])])
      provide(hooks.provider, name, { by, thing: provider, what: 'provider' });
  for (const dialect of dialects) provide(hooks.dialect, dialect.id, { by, thing: dialect, what: 'dialect' });
  for (const cache of caches) provide(hooks.cache, cache.mode, { by, thing: cache, what: 'cache mode' });
  for (const chooser of choosers) provide(hooks.chooser, chooser.id, { by, thing: chooser, what: 'balance' });
  for (const check of guardrails)
    for (const name of guardrailNames(check)) provide(hooks.check, name, { by, thing: check, what: 'check' });
  try {
    callApply(plugin, hooks, options);
  } catch (error) {
    throw failedIn('apply', plugin, error);
  }
};

/** Lets every plugin register, in order, then seals the hooks. Returns the names of all providers. Throws a `PluginError`. */
export const applyPlugins = (
  plugins: readonly Plugin[],
  hooks: Hooks,
  options: Readonly<Record<string, JsonObject>>,
): readonly string[] => {
  const providerNames: string[] = [];
  hooks.provider.intercept({
    factory: (name, hook) => {
      providerNames.push(String(name));
      return hook;
    },
  });
  const seal = sealHooks(hooks);
  for (const plugin of plugins) applyPlugin(plugin, hooks, options[plugin.name] ?? {});
  seal();
  return providerNames;
};

/** Lets every plugin start its background work, in order. Throws a `PluginError` that names the plugin. */
export const startPlugins = (plugins: readonly Plugin[], gateway: RunningGateway): void => {
  for (const plugin of plugins) {
    try {
      plugin.start?.(gateway);
    } catch (error) {
      throw failedIn('start', plugin, error);
    }
  }
};
