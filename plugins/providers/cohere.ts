import { defineProvider, type Endpoint, type Provider } from '../sdk/provider/provider.ts';
import { bearer } from './shared/bearer.ts';
import { withOwnVersion } from './shared/own-version.ts';

/** In version 1, documents may have several fields, and are returned on request: https://docs.cohere.com/v1/reference/rerank */
const rerank: Endpoint = ({ path }) => (path?.startsWith('/v2/') === true ? '/v2/rerank' : '/v1/rerank');

/**
 * https://docs.cohere.com/reference/chat. Version 2 has no data sets and no embed jobs, so both versions are in use, and the base
 * URL contains none.
 */
export const cohere: Provider = defineProvider({
  id: 'cohere',
  documentation: 'https://docs.cohere.com/reference/chat',
  baseUrl: 'https://api.cohere.com',
  credential: 'required',
  speaks: {
    cohere: '/v2/chat',
    'cohere-embeddings': '/v2/embed',
    'older-cohere-embeddings': '/v1/embed',
    rerank,
  },
  // https://docs.cohere.com/reference/embed#request.body.texts
  maxTexts: 96,
  models: ['command-', 'c4ai-', 'embed-english-', 'embed-multilingual-', 'embed-v4', 'rerank-'],
  headers: bearer,
  passThrough: withOwnVersion,
  // Parts of data sets are there: https://docs.cohere.com/reference/get-dataset
  signedOrigins: ['https://storage.googleapis.com'],
});
