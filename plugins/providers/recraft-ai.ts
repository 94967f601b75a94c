import { onlyAllows } from '../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../sdk/provider/provider.ts';
import { bearer } from './shared/bearer.ts';

/** The path segments of calls to models, and of styles, which callers create for themselves. */
const calls: ReadonlySet<string> = new Set(['images', 'styles']);

/** https://www.recraft.ai/docs/api-reference/endpoints */
export const recraftAi: Provider = defineProvider({
  id: 'recraft-ai',
  documentation: 'https://www.recraft.ai/docs/api-reference/endpoints',
  baseUrl: 'https://external.api.recraft.ai/v1',
  credential: 'required',
  speaks: { images: '/images/generations' },
  models: ['recraft'],
  headers: bearer,
  changesAccount: onlyAllows(({ method, segments: [first = ''] }) => method === 'POST' && calls.has(first)),
});
