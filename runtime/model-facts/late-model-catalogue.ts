import type { ModelCatalogue, ModelCatalogueOptions } from './create-model-catalogue.ts';

/** The catalogue, whose code is loaded when somebody first asks for it. */
export const lateModelCatalogue = (options: ModelCatalogueOptions): (() => Promise<ModelCatalogue>) => {
  let made: Promise<ModelCatalogue> | undefined;
  return () => {
    made ??= import('./create-model-catalogue.ts').then(({ createModelCatalogue }) => createModelCatalogue(options));
    return made;
  };
};
