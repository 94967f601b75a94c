import type { StatedFacts } from '../../../schema/model-facts/model-facts.ts';
import { loadModels } from './load-models.ts';
import type { Plugin } from './plugin.ts';

/** Loads all model facts that the plugins state. They are data, so a compiler can use them without the code of the plugins. */
export const describeModels = async (plugins: readonly Plugin[]): Promise<readonly StatedFacts[]> => {
  const all = await Promise.all(plugins.map(async (plugin) => (await loadModels(plugin))?.facts ?? []));
  return all.flat();
};
