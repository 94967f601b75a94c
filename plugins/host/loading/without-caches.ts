import type { Plugin } from '../../sdk/plugin/plugin.ts';

/**
 * Returns plugins without the modes of caching that others provide. Configs name modes rather than stores, so an operator's
 * plugin can replace the gateway's own cache.
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
