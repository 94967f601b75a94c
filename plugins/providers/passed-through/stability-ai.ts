import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../row-parts/bearer.ts';
import { withOwnVersion } from '../row-parts/own-version.ts';

/** The first path segments of calls of models. */
const calls: ReadonlySet<string> = new Set(['generation', 'stable-image', 'image-to-video', '3d', 'audio']);

/** https://platform.stability.ai/docs/api-reference. Versions 1 and 2 are both in use, so the base URL has none. */
export const stabilityAi: Provider = defineProvider({
  id: 'stability-ai',
  documentation: 'https://platform.stability.ai/docs/api-reference',
  baseUrl: 'https://api.stability.ai',
  credential: 'required',
  speaks: {},
  headers: bearer,
  passThrough: withOwnVersion,
  changesAccount: onlyAllows(({ method, segments: [first = ''] }) => method === 'POST' && calls.has(first)),
});
