import type { Plugin } from '../../sdk/plugin/plugin.ts';

/**
 * Plugins without the modes of caching that others provide. Configs name modes and not stores, so a plugin of the operator
 * takes the place of the gateway's own cache.
 */
export const withoutCaches = (plugins: readonly Plugin[], by: readonly Plugin[]): readonly Plugin[] => {
  const provided = new Set(by.flatMap(({ caches = [] }) => caches.map(({ mode }) => mode)));
  if (provided.size === 0) return plugins;
  return plugins.map((plugin) =>
    plugin.caches === undefined
      ? plugin
      : { ...plugin, caches: plugin.caches.filter(({ mode }) => !provided.has(mode)) },
  );
};
