import { type Catalogue, findProviderId } from '../../../sdk/plugin/catalogue.ts';

/** Replaces the provider that a query names, possibly by an alias, with its id, because records contain only ids. */
export const withProviderId = <Query extends { readonly provider?: unknown }>(
  query: Query,
  catalogue: Pick<Catalogue, 'providers'>,
): Query =>
  typeof query.provider === 'string' ? { ...query, provider: findProviderId(catalogue, query.provider) } : query;
