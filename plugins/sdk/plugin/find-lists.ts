import type { ProviderModelList } from '../models/plugin-models.ts';
import type { Provider } from '../provider/provider.ts';
import { loadModels } from './load-models.ts';
import type { Plugin } from './plugin.ts';

/** Finds how to read the model list of a provider. */
export type FindList = (provider: Provider) => ProviderModelList | undefined;

/** Loads how the plugins read the model lists of their providers. */
export const findLists = async (plugins: readonly Plugin[]): Promise<FindList> => {
  const known = await Promise.all(plugins.map(loadModels));
  const lists = new Map(known.flatMap((each) => Object.entries(each?.lists ?? {})));
  const openaiList = known.find((each) => each?.openaiList !== undefined)?.openaiList;
  return ({ id, speaks }) => lists.get(id) ?? (speaks.chat === '/chat/completions' ? openaiList : undefined);
};
