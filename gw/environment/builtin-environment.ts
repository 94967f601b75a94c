import type { LoadedEnvironment } from './loaded-environment.ts';

export const builtinEnvironment = async (): Promise<LoadedEnvironment> => {
  const [{ lazyBuiltinPlugins: plugins }, { buildCatalogue }, { nothingSaved }] = await Promise.all([
    import('../../plugins/lazy-builtin.ts'),
    import('../../plugins/sdk/plugin/catalogue.ts'),
    import('../../schema/config/saved.ts'),
  ]);
  const catalogue = buildCatalogue(plugins);
  return {
    settings: {},
    plugins,
    pluginFiles: async () => [],
    isolated: [],
    prepare: async (plan) => (await import('./load-checks.ts')).loadChecks(catalogue, plan),
    catalogue,
    saved: nothingSaved,
    diagnostics: [],
  };
};
