import { loadOwnModule } from '../sdk/modules/own-module.ts';
import { lateProvider } from '../sdk/provider/late-provider.ts';
import type { Provider } from '../sdk/provider/provider.ts';
import { openaiLikeNames } from './openai-like/names.ts';
import { ownProtocols } from './own-protocols.ts';

/** The one thing that the file of a row exports. */
const loadRow = (id: string): Provider => {
  const [row] = Object.values(loadOwnModule(`plugins/providers/openai-like/${id}`)) as Provider[];
  if (row?.id !== id) throw new RangeError(`plugins/providers/openai-like/${id} does not have the row "${id}".`);
  return row;
};

/** The same providers as `builtinProviders`, for a gateway that runs: most need few of the rows that follow OpenAI. */
export const lazyProviders: readonly Provider[] = [
  ...ownProtocols,
  ...openaiLikeNames.map((names) => lateProvider({ ...names, load: () => loadRow(names.id) })),
];
