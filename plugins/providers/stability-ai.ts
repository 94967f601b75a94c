import { onlyAllows } from '../sdk/provider/account-changes/only-allows.ts';
import { fillModel } from '../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type Provider } from '../sdk/provider/provider.ts';
import { bearer } from './shared/bearer.ts';
import { withOwnVersion } from './shared/own-version.ts';
import { settingHeader } from './shared/setting-header.ts';

const id = 'stability-ai';

/** The first path segments of calls to models. */
const calls: ReadonlySet<string> = new Set(['generation', 'stable-image', 'image-to-video', '3d', 'audio']);

/**
 * Each model has its own path, `core` or `ultra`, except for those of Stable Diffusion 3.5, which share one:
 * https://platform.stability.ai/docs/api-reference#tag/Generate
 */
const draw: Endpoint = ({ model }) =>
  fillModel('/v2beta/stable-image/generate/{model}', {
    model: model?.startsWith('sd3') ? 'sd3' : model?.replace(/^stable-image-/, ''),
    provider: id,
  });

/** https://platform.stability.ai/docs/api-reference. Versions 1 and 2 are both in use, so the base URL contains none. */
export const stabilityAi: Provider = defineProvider({
  id,
  documentation: 'https://platform.stability.ai/docs/api-reference',
  baseUrl: 'https://api.stability.ai',
  credential: 'required',
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      stability_client_id: { type: 'string', maxLength: 256, description: 'The name of the calling application.' },
      stability_client_user_id: { type: 'string', maxLength: 256, description: 'The id of its user.' },
      stability_client_version: { type: 'string', maxLength: 256, description: 'Its version.' },
    },
  },
  speaks: { 'stability-images': draw },
  headers: (credential, settings) => [
    ...bearer(credential),
    ...settingHeader(settings, 'stability_client_id', 'stability-client-id'),
    ...settingHeader(settings, 'stability_client_user_id', 'stability-client-user-id'),
    ...settingHeader(settings, 'stability_client_version', 'stability-client-version'),
  ],
  passThrough: withOwnVersion,
  changesAccount: onlyAllows(({ method, segments: [first = ''] }) => method === 'POST' && calls.has(first)),
});
