import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import type { RawHeaders, UpstreamRequest } from '../../sdk/http/http.ts';
import { endsInCall } from '../../sdk/provider/account-changes/changes-account.ts';
import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import type { ChangesAccount } from '../../sdk/provider/account-changes/passed-request.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { withHeaders } from '../auth/with-headers.ts';
import { developerMarks, withSystemRoles } from '../shared/as-system.ts';
import { bearer } from '../shared/bearer.ts';
import { claudeScope, isClaude } from '../shared/claude.ts';
import { claudePromptCache } from '../shared/claude-prompt-cache.ts';
import { withOwnVersion } from '../shared/own-version.ts';
import { textSetting } from '../shared/text-setting.ts';
import { vertexModel } from './vertex-model.ts';
import {
  chatPath,
  embeddingsPath,
  geminiCountPath,
  geminiPath,
  id,
  imagesPath,
  messagesCountPath,
  messagesPath,
  ocrPath,
  rankingPath,
  ranks,
  servingOrigin,
  vertexOrigin,
} from './vertex-paths.ts';
import { withRequestProject } from './with-request-project.ts';
import { withoutCallIds } from './without-call-ids.ts';

/** The path segments of resources that callers create for themselves: `projects/p/locations/l/<collection>/<id>`. */
const own: ReadonlySet<string> = new Set(['cachedcontents', 'batchpredictionjobs', 'tuningjobs']);

const allows = ({ method, segments }: AllowedRequest): boolean => {
  if (own.has(segments[4] ?? '')) return true;
  if (method !== 'POST') return false;
  return endsInCall(segments) || /\/endpoints\/[^/]+\/chat\/completions$/.test(`/${segments.join('/')}`);
};

/**
 * All other paths upload, deploy and delete models, endpoints and data: https://cloud.google.com/vertex-ai/docs/reference/rest
 */
const vertexChanges: ChangesAccount = onlyAllows(allows);

/** https://docs.claude.com/en/api/claude-on-vertex-ai */
const anthropicVersion = 'vertex-2023-10-16';

const dialects: Readonly<Record<string, readonly string[]>> = {
  google: ['gemini', 'vertex-embeddings', 'gemini-count', 'vertex-rerank', 'google-images'],
  anthropic: ['messages', 'messages-count'],
  endpoints: ['chat', 'gemini'],
  mistralai: ['chat', 'ocr'],
};

const counted = ['contents', 'systemInstruction', 'tools', 'generationConfig'];

/**
 * Moves the members of a count's request to the top level. The Gemini API has them in `generateContentRequest`:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens
 */
const toCountBody = (body: JsonObject): JsonObject => {
  const request = findObject(body.generateContentRequest);
  if (request === undefined) return body;
  return Object.fromEntries(Object.entries(request).filter(([name]) => counted.includes(name)));
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/provisioned-throughput/use-provisioned-throughput */
const requestType = (type: string | undefined): RawHeaders =>
  type === undefined ? [] : ['X-Vertex-AI-LLM-Request-Type', type];

/**
 * Returns the request in its project. The ranking API requires the project in a header too if a person's account sends the
 * request: https://docs.cloud.google.com/docs/quotas/set-quota-project
 */
const chargedTo = (project: string | undefined, request: UpstreamRequest): UpstreamRequest => {
  const placed = withRequestProject(request, project);
  return project === undefined || !ranks(request.path)
    ? placed
    : withHeaders(placed, ['X-Goog-User-Project', encodeURIComponent(project)]);
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const vertexAi: Provider = defineProvider({
  id,
  aliases: ['cloudb'],
  listedAs: 'google',
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  baseUrl: vertexOrigin,
  credential: 'required',
  credentialFields: ['api_key', 'cloudb_service_account_json'],
  settings: ['cloudb_project_id', 'cloudb_region', 'cloudb_request_type', 'cloudb_storage_bucket_name'],
  speaks: {
    gemini: geminiPath,
    messages: messagesPath,
    chat: chatPath,
    'vertex-embeddings': embeddingsPath,
    'gemini-count': geminiCountPath,
    'messages-count': messagesCountPath,
    'vertex-rerank': rankingPath,
    ocr: ocrPath,
    'google-images': imagesPath,
  },
  dialectsOf: (model) => dialects[vertexModel(model ?? '').publisher] ?? ['chat'],
  bodyModel(model) {
    const { publisher, name } = vertexModel(model);
    if (publisher === 'endpoints') return '';
    return ['google', 'anthropic', 'mistralai'].includes(publisher) ? name : `${publisher}/${name}`;
  },
  // https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings#supported-models
  maxTexts: (model = '') => (/^(?:gemini-embedding-|multimodalembedding)/.test(vertexModel(model).name) ? 1 : 250),
  clientHeaders: ['anthropic-beta'],
  headers: (credential, settings) => [
    ...(credential.cloudb_service_account_json === undefined ? bearer(credential) : []),
    ...requestType(textSetting(settings, 'cloudb_request_type')),
  ],
  async authorize(request, context) {
    const { credential, settings } = context;
    const { cloudb_service_account_json: json } = credential;
    const { origin, path } = request;
    const placed = request.isStorage === true ? request : { ...request, origin: servingOrigin(origin, path, settings) };
    if (json === undefined) return chargedTo(textSetting(settings, 'cloudb_project_id'), placed);
    // Loaded on demand, because most gateways have no such account.
    const { authorizeAccount } = await import('./authorize-account.ts');
    return authorizeAccount(placed, context, json);
  },
  storageOrigin: () => 'https://storage.googleapis.com',
  promptCache: claudePromptCache,
  stateScope: ({ fingerprint, model }) => (isClaude(model) ? claudeScope : `${id} ${fingerprint}`),
  passThrough: withOwnVersion,
  changesAccount: vertexChanges,
  // Google also returns errors of its own for its partners' models, in another format.
  errorsVary: true,
  adaptsOwn: ['messages', 'gemini', 'gemini-count', 'messages-count'],
  adaptsMarked: developerMarks,
  adapt(body, dialect) {
    switch (dialect) {
      case 'gemini':
        return withoutCallIds(body);
      case 'gemini-count':
        return withoutCallIds(toCountBody(body));
      case 'messages': {
        const { model: _, ...rest } = body;
        return { ...rest, anthropic_version: anthropicVersion };
      }
      case 'messages-count':
        return { ...body, anthropic_version: anthropicVersion };
      default:
        return withSystemRoles(body);
    }
  },
});
