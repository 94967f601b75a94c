import { LoadedLate } from '../../../plugins/sdk/loading/loaded-late.ts';
import { ByModel } from './by-model.ts';
import { spelledOut } from './row-names.ts';

type Library = typeof import('@pydantic/genai-prices');

/** The names of models in public price lists. */
export interface ListedModels {
  ready(): Promise<void> | undefined;
  /**
   * Returns the model's own name if the provider's list spells it out. If a pattern of the list matches it, returns the name of
   * the list's row, because any number of names may match a pattern. Undefined for a model that is not listed, and before the
   * lists are ready.
   */
  findName(listedAs: string, model: string): string | undefined;
}

const nameIn = (library: Library, listedAs: string, model: string): string | undefined => {
  const listed = library.calcPrice({ input_tokens: 0 }, model, { providerId: listedAs })?.model;
  if (listed === undefined) return undefined;
  return spelledOut(listed.match).includes(model) ? model : listed.id;
};

/** The lists of `@pydantic/genai-prices`, which take 20 MB. */
export const createListedModels = (): ListedModels => {
  const known = new ByModel<{ readonly name: string | undefined }>();
  let late: LoadedLate<Library> | undefined;
  return {
    ready() {
      late ??= new LoadedLate(() => import('@pydantic/genai-prices'));
      return late.value === undefined ? late.ready().then(() => {}) : undefined;
    },
    findName(listedAs, model) {
      const library = late?.value;
      if (library === undefined) return undefined;
      const found = known.get(listedAs, model);
      return (found ?? known.add(listedAs, model, { name: nameIn(library, listedAs, model) })).name;
    },
  };
};
