import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/catalogue.ts';
import type { Loss } from '../../../plugins/sdk/dialect.ts';
import type { Family } from '../families.ts';
import type { DeclaredLosses } from './judge-cell.ts';

const { dialects, providers } = buildCatalogue(builtinPlugins);

const lossesOf = (dialect: string): readonly Loss[] => dialects.get(dialect)?.conversation?.losses ?? [];

/** What may be lost between a client's dialect and a family; nothing where both speak the same. */
export const declaredLosses = ({ provider, upstream }: Family, client: string): DeclaredLosses => {
  if (upstream.dialect === client) return { request: [], answer: [] };
  const own = providers.get(provider)?.losses ?? [];
  return { request: [...lossesOf(upstream.dialect), ...own], answer: lossesOf(client) };
};
