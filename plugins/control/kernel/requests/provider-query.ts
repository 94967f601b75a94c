import { type Catalogue, findProviderId } from '../../../sdk/plugin/catalogue.ts';

/** The same query with the id of the provider that it names, also by an alias: what is recorded has ids alone. */
export const withProviderId = <Query extends { readonly provider?: unknown }>(
  query: Query,
  catalogue: Pick<Catalogue, 'providers'>,
): Query =>
  typeof query.provider === 'string' ? { ...query, provider: findProviderId(catalogue, query.provider) } : query;
