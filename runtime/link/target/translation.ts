import { fillModel, hasModelPlace } from '../../../plugins/sdk/fill-model.ts';
import type { Endpoint, Provider } from '../../../plugins/sdk/provider.ts';
import { type Served, servedAs } from '../../../plugins/sdk/served-as.ts';
import type { Names } from '../names.ts';

/**
 * How a target serves a client's dialect. A string endpoint is the whole path, including the base path; a function
 * returns the part after the base path.
 */
export type Translation = Served;

export interface TranslationOptions {
  readonly provider: Provider;
  readonly basePath: string;
  /** The dialects that the provider speaks with the model, in its own order; all that it speaks if absent. */
  readonly spoken: readonly string[] | undefined;
  readonly names: Names;
}

/** What is known of an endpoint before there is a request. */
const prepared = (endpoint: Endpoint, { provider, basePath }: TranslationOptions): Endpoint => {
  if (typeof endpoint !== 'string') return endpoint;
  if (!hasModelPlace(endpoint)) return basePath + endpoint;
  return ({ model }) => fillModel(endpoint, { model, provider: provider.id });
};

/** How the provider serves the dialect, with its endpoint prepared. */
export const translationTo = (clientDialect: string, options: TranslationOptions): Translation => {
  const { provider, spoken, names } = options;
  const served = servedAs(clientDialect, { provider, spoken, dialectOf: names.dialect });
  return served.kind === 'none' ? served : { ...served, endpoint: prepared(served.endpoint, options) };
};
