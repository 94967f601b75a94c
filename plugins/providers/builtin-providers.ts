import type { Provider } from '../sdk/provider/provider.ts';
import { lateProtocols } from './late-protocols.ts';
import { openaiLikeProviders } from './openai-like/rows.ts';
import { ownProtocols } from './own-protocols.ts';
import { passedThroughProviders } from './passed-through/rows.ts';

const byId = (a: Provider, b: Provider): number => (a.id < b.id ? -1 : 1);

/** Every provider that comes with the gateway, sorted by id. */
export const builtinProviders: readonly Provider[] = [
  ...ownProtocols,
  ...lateProtocols,
  ...openaiLikeProviders,
  ...passedThroughProviders,
].toSorted(byId);
