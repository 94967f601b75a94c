import { gatewayError } from '../../schema/errors/errors.ts';
import { onlyAllows } from '../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Endpoint, type Provider } from '../sdk/provider/provider.ts';
import { bearer } from './row-parts/bearer.ts';
import { withOwnVersion } from './row-parts/own-version.ts';

const id = 'stability-ai';

/** The first path segments of calls of models. */
const calls: ReadonlySet<string> = new Set(['generation', 'stable-image', 'image-to-video', '3d', 'audio']);

/** The models have paths of their own, but for those of Stable Diffusion 3.5, which share one. */
const services: readonly (readonly [path: string, names: RegExp])[] = [
  ['core', /^(?:stable-image-)?core$/],
  ['ultra', /^(?:stable-image-)?ultra$/],
  ['sd3', /^sd3/],
];

/** https://platform.stability.ai/docs/api-reference#tag/Generate */
const draw: Endpoint = ({ model }) => {
  const [path] = services.find(([, names]) => names.test(model ?? '')) ?? [];
  if (path === undefined)
    throw gatewayError('missing-model', {
      provider: id,
      reason: 'the request names none of core, ultra, and those that begin with sd3.',
    });
  return `/v2beta/stable-image/generate/${path}`;
};

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
