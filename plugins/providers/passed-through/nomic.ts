import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../row-parts/bearer.ts';

/** https://docs.nomic.ai/atlas/embeddings-and-retrieval/embeddings */
export const nomic: Provider = defineProvider({
  id: 'nomic',
  documentation: 'https://docs.nomic.ai/atlas/embeddings-and-retrieval/embeddings',
  baseUrl: 'https://api-atlas.nomic.ai/v1',
  credential: 'required',
  speaks: {},
  models: ['nomic-embed-'],
  headers: bearer,
  // All else is of the data sets and the organisation that share the key.
  changesAccount: onlyAllows(({ method, segments: [first] }) => method === 'POST' && first === 'embedding'),
});
