import { onlyAllows } from '../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../sdk/provider/provider.ts';
import { bearer } from './shared/bearer.ts';

/** https://docs.nomic.ai/reference/endpoints/nomic-embed-text */
export const nomic: Provider = defineProvider({
  id: 'nomic',
  documentation: 'https://docs.nomic.ai/reference/endpoints/nomic-embed-text',
  baseUrl: 'https://api-atlas.nomic.ai/v1',
  credential: 'required',
  speaks: { 'nomic-embeddings': '/embedding/text' },
  models: ['nomic-'],
  headers: bearer,
  // All other paths concern the data sets and the organisation that share the key.
  changesAccount: onlyAllows(({ method, segments: [first] }) => method === 'POST' && first === 'embedding'),
  unconfirmed: ['errors'],
});
