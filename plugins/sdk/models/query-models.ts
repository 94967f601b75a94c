import { foldName } from './fold-name.ts';
import { type FoundModels, type NamedModel, noModels } from './named-models.ts';

/** Folded names of query parameters that name a model. */
export const modelParameters: ReadonlySet<string> = new Set([
  ...['model', 'models', 'modelid', 'modelname'],
  ...['deployment', 'deploymentid', 'deploymentname', 'engine'],
]);

const place = 'in its query';

/** Whether the name of a query member is one of those that name a model. */
const namesModel = (name: string): boolean => modelParameters.has(foldName(name.replace(/\[\]$/, '')));

/** Returns a path whose query names this model in place of any other. */
export const withQueryModel = (path: string, model: string): string => {
  const [pathname = '', ...search] = path.split('?');
  const members = [...new URLSearchParams(search.join('?'))].filter(([name]) => !namesModel(name));
  return `${pathname}?${new URLSearchParams([['model', model], ...members])}`;
};

/** Returns the models that the query of a request names. Some servers separate parameters by semicolons. */
export const queryModels = ({ path }: { readonly path: string }): FoundModels => {
  const at = path.indexOf('?');
  if (at === -1) return noModels;
  const members = new URLSearchParams(path.slice(at + 1).replaceAll(';', '&'));
  const called = [...members].flatMap(([name, model]): readonly NamedModel[] =>
    model !== '' && namesModel(name) ? [{ model, place }] : [],
  );
  return { called, further: [] };
};
