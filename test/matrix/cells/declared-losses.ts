import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { Loss } from '../../../plugins/sdk/dialect/dialect.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import type { Family } from '../families.ts';

/** The declared losses between a client's dialect and a family. */
export interface DeclaredLosses {
  /** Of the dialect and the provider for which the request is encoded. */
  readonly request: readonly Pick<Loss, 'member'>[];
  /** Of the client's dialect. */
  readonly answer: readonly Pick<Loss, 'member'>[];
}

const { dialects, providers } = buildCatalogue(builtinPlugins);

const toProvider = (family: Family): Provider => {
  const provider = providers.get(family.provider);
  if (provider === undefined) throw new Error(`${family.id} is no provider of the gateway.`);
  return provider;
};

const toLosses = (dialect: string): readonly Loss[] => dialects.get(dialect)?.conversation?.losses ?? [];

/** The parameters that a provider does not accept. They are reported by their names in the provider's format. */
const droppedParameters = (family: Family): readonly Pick<Loss, 'member'>[] =>
  readDrop(toProvider(family), family.config('http://127.0.0.1')).map((member) => ({ member }));

/** If both use the same dialect, only the losses that the provider declares are allowed. */
export const declaredLosses = (family: Family, client: string): DeclaredLosses => {
  const { dialect } = family.upstream;
  const own = [...(toProvider(family).losses ?? []), ...droppedParameters(family)];
  if (dialect === client) return { request: own, answer: [] };
  return { request: [...toLosses(dialect), ...own], answer: toLosses(client) };
};

/** Whether a family serves clients of a dialect. Its provider may support that dialect at the path of another family. */
export const isAskedBy = (family: Family, client: string): boolean => {
  if (family.clients !== undefined) return family.clients.includes(client);
  if (family.upstream.dialect === client) return true;
  const { dialectsOf, speaks } = toProvider(family);
  const spoken = dialectsOf?.(family.model, family.config('http://127.0.0.1')) ?? Object.keys(speaks);
  return !spoken.includes(client);
};

/** Headers that come from the client if it uses the provider's dialect, such as the version of the API. */
export const clientHeaders = (family: Family, client: string): readonly string[] =>
  family.upstream.dialect === client ? (toProvider(family).clientHeaders ?? []) : [];
