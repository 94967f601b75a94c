import { gatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { isImagen } from '../../sdk/models/is-imagen.ts';
import { fillModel } from '../../sdk/provider/fill-model.ts';
import type { Endpoint, EndpointCall } from '../../sdk/provider/provider.ts';
import { textSetting } from '../shared/text-setting.ts';
import { type VertexModel, vertexModel } from './vertex-model.ts';

/** The provider's id. */
export const id = 'vertex-ai';

/** A placeholder for the project, which may be known only from the credential. `withProject` replaces it. */
const anyProject = '/projects/-/';

/**
 * Returns the path with the project in place of `-`, or undefined if it needs a project and there is none. Throws the
 * `GatewayError` `missing-base-url` if the project is not a valid name.
 */
export const withProject = (path: string, project: string | undefined): string | undefined => {
  if (!path.includes(anyProject)) return path;
  if (project === '.' || project === '..' || project?.isWellFormed() === false)
    throw gatewayError('missing-base-url', { provider: id, reason: 'cloudb_project_id is not the name of a project.' });
  return project === undefined
    ? undefined
    : path.replace(anyProject, () => `/projects/${encodeURIComponent(project)}/`);
};

/** Returns the region of a target. Throws an `Error` if there is none, or if it is not a valid region name. */
const vertexRegion = (settings: JsonObject): string => {
  const region = textSetting(settings, 'cloudb_region');
  if (region === undefined) throw new Error('cloudb_region is missing.');
  if (!/^[a-z]{1,30}(?:-[a-z]{1,30}\d{1,2})?$/.test(region))
    throw new Error('cloudb_region must be the name of a region, such as "europe-west4", or "global".');
  return region;
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
export const vertexOrigin = (settings: JsonObject): string => {
  const region = vertexRegion(settings);
  if (region === 'global') return 'https://aiplatform.googleapis.com';
  if (!region.includes('-')) return `https://aiplatform.${region}.rep.googleapis.com`;
  return `https://${region}-aiplatform.googleapis.com`;
};

/** https://docs.cloud.google.com/generative-ai-app-builder/docs/ranking: a separate service, without regions. */
export const rankingPath: Endpoint = `/v1${anyProject}locations/global/rankingConfigs/default_ranking_config:rank`;

/** Whether a path belongs to the ranking API. */
export const ranks = (path: string): boolean => /\/rankingConfigs\/[^/]+:rank$/.test(path);

/** Returns the origin that serves a path: that of the region, that of the ranking API, or another host in place of both. */
export const servingOrigin = (sentTo: string, path: string, settings: JsonObject): string =>
  ranks(path) && sentTo === vertexOrigin(settings) ? 'https://discoveryengine.googleapis.com' : sentTo;

const endpoint =
  (toPath: (model: VertexModel, call: EndpointCall) => string): Endpoint =>
  (call) => {
    const { model, settings } = call;
    const { publisher, name } = vertexModel(model ?? '');
    const segment = fillModel('{model}', { model: name, provider: id });
    const place = `/v1${anyProject}locations/${vertexRegion(settings)}`;
    return place + toPath({ publisher, name: segment }, call);
  };

const model = ({ publisher, name }: VertexModel): string =>
  publisher === 'endpoints' ? `/endpoints/${name}` : `/publishers/${publisher}/models/${name}`;

const rawPredict = (stream: boolean): string => (stream ? ':streamRawPredict' : ':rawPredict');

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const geminiPath: Endpoint = endpoint(
  (named, { stream }) => model(named) + (stream ? ':streamGenerateContent?alt=sse' : ':generateContent'),
);

/** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude */
export const messagesPath: Endpoint = endpoint((named, { stream }) => model(named) + rawPredict(stream));

/** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral, …/maas/call-open-model-apis */
export const chatPath: Endpoint = endpoint((named, { stream }) => {
  if (named.publisher === 'mistralai') return model(named) + rawPredict(stream);
  return named.publisher === 'endpoints' ? `${model(named)}/chat/completions` : '/endpoints/openapi/chat/completions';
});

/** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral/ocr */
export const ocrPath: Endpoint = endpoint((named) => model(named) + rawPredict(false));

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const embeddingsPath: Endpoint = endpoint((named) => `${model(named)}:predict`);

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens */
export const geminiCountPath: Endpoint = endpoint((named) => `${model(named)}:countTokens`);

/** The body names the model: https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens */
export const messagesCountPath: Endpoint = endpoint(() => '/publishers/anthropic/models/count-tokens:rawPredict');

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api, …/multimodal/image-generation */
export const imagesPath: Endpoint = endpoint(
  (named, call) => model(named) + (isImagen(call.model) ? ':predict' : ':generateContent'),
);
