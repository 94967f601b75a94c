import type { LoadedEnvironment } from './loaded-environment.ts';

export const builtinEnvironment = async (): Promise<LoadedEnvironment> => {
  const [{ lazyBuiltinPlugins: plugins }, { buildCatalogue }, { nothingSaved }] = await Promise.all([
    import('../plugins/lazy-builtin.ts'),
    import('../plugins/sdk/catalogue.ts'),
    import('../schema/saved.ts'),
  ]);
  return {
    settings: {},
    plugins,
    pluginFiles: async () => [],
    isolated: [],
    prepare: async () => {},
    catalogue: buildCatalogue(plugins),
    saved: nothingSaved,
    diagnostics: [],
  };
};
