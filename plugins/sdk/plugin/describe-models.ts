import type { StatedFacts } from '../../../schema/model-facts/model-facts.ts';
import { loadModels } from './load-models.ts';
import type { Plugin } from './plugin.ts';

/** Everything that plugins state of the models of their providers, which is data: a compiler without their code can have it. */
export const describeModels = async (plugins: readonly Plugin[]): Promise<readonly StatedFacts[]> => {
  const all = await Promise.all(plugins.map(async (plugin) => (await loadModels(plugin))?.facts ?? []));
  return all.flat();
};
