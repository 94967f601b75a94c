import { LoadedLate } from '../../plugins/sdk/loading/loaded-late.ts';
import type { ModelCatalogue, ModelCatalogueOptions } from './create-model-catalogue.ts';

/** Returns the catalogue. Its code is loaded on first use. */
export const lateModelCatalogue = (options: ModelCatalogueOptions): (() => Promise<ModelCatalogue>) => {
  let late: LoadedLate<ModelCatalogue> | undefined;
  return () => {
    late ??= new LoadedLate(async () => {
      const { createModelCatalogue } = await import('./create-model-catalogue.ts');
      return createModelCatalogue(options);
    });
    return late.ready();
  };
};
