import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { keyInHeader } from '../shared/key-in-header.ts';
import { withOwnVersion } from '../shared/own-version.ts';

/** First path segments that are not names of models. */
const administration: ReadonlySet<string> = new Set(['finetune', 'fine-tune', 'user', 'users', 'keys', 'oauth']);

/**
 * https://docs.segmind.com/docs/serverless-api. Version 1 answers a call of a model with its result, and version 2 with a request
 * to poll, so both are in use, and the base URL contains none.
 */
export const segmind: Provider = defineProvider({
  id: 'segmind',
  documentation: 'https://docs.segmind.com/docs/serverless-api',
  baseUrl: 'https://api.segmind.com',
  credential: 'required',
  speaks: {},
  // It rejects the same key as a bearer token: https://docs.segmind.com/docs/get-started/authentication
  headers: keyInHeader('x-api-key'),
  passThrough: withOwnVersion,
  // A model is called at a path with a single segment, its name.
  changesAccount: onlyAllows(
    ({ method, segments }) => method === 'POST' && segments.length === 1 && !administration.has(segments[0] ?? ''),
  ),
});
