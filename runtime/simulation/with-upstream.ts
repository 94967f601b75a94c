import type { Upstream } from '../../plugins/sdk/http/http.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';

/** Returns the provider with the given upstream and without signing, because credentials may be made up. */
const replaying = (provider: Provider, upstream: Upstream): Provider =>
  // A provider may be an instance of a class, and a copy would lose its methods.
  Object.create(provider, {
    authorize: { value: undefined },
    inProcess: { value: provider.inProcess === undefined ? undefined : () => upstream },
  });

/** Returns the plugin with all of its providers using one upstream. */
export const withUpstream = (plugin: Plugin, upstream: Upstream): Plugin => ({
  ...plugin,
  providers: (plugin.providers ?? []).map((provider) => replaying(provider, upstream)),
  apply: (hooks, options) => plugin.apply?.(hooks, options),
});
