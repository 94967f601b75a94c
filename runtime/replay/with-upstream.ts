import type { Upstream } from '../../plugins/sdk/http/http.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';

/** The provider with an upstream of one's own and without signing, since credentials may be made up. */
const replaying = (provider: Provider, upstream: Upstream): Provider =>
  // A provider may be an instance of a class, whose methods a copy would lose.
  Object.create(provider, {
    authorize: { value: undefined },
    inProcess: { value: provider.inProcess === undefined ? undefined : () => upstream },
  });

/** The plugin with all of its providers at one upstream. */
export const withUpstream = (plugin: Plugin, upstream: Upstream): Plugin => ({
  ...plugin,
  providers: (plugin.providers ?? []).map((provider) => replaying(provider, upstream)),
  apply: (hooks, options) => plugin.apply?.(hooks, options),
});
