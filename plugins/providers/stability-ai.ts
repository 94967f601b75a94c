import { onlyAllows } from '../sdk/provider/account-changes/only-allows.ts';
import { fillModel } from '../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type Provider } from '../sdk/provider/provider.ts';
import { bearer } from './shared/bearer.ts';
import { withOwnVersion } from './shared/own-version.ts';

const id = 'stability-ai';

/** The first path segments of calls of models. */
const calls: ReadonlySet<string> = new Set(['generation', 'stable-image', 'image-to-video', '3d', 'audio']);

/**
 * Each model has a path of its own, `core` or `ultra`, but for those of Stable Diffusion 3.5, which share one:
 * https://platform.stability.ai/docs/api-reference#tag/Generate
 */
const draw: Endpoint = ({ model }) =>
  fillModel('/v2beta/stable-image/generate/{model}', {
    model: model?.startsWith('sd3') ? 'sd3' : model?.replace(/^stable-image-/, ''),
    provider: id,
  });

/** https://platform.stability.ai/docs/api-reference. Versions 1 and 2 are both in use, so the base URL has none. */
export const stabilityAi: Provider = defineProvider({
  id,
  documentation: 'https://platform.stability.ai/docs/api-reference',
  baseUrl: 'https://api.stability.ai',
  credential: 'required',
  speaks: { 'stability-images': draw },
  headers: bearer,
  passThrough: withOwnVersion,
  changesAccount: onlyAllows(({ method, segments: [first = ''] }) => method === 'POST' && calls.has(first)),
});
