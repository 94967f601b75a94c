import type { JsonObject } from '../../../schema/json/json.ts';
import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import type { RawHeaders } from '../../sdk/http/http.ts';
import { type Credential, defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import {
  authorizeWithEntra,
  azureHeaders,
  entraCredentialFields,
  entraSettings,
  usesMachineIdentity,
} from '../auth/azure-identity.ts';
import { bearer } from '../shared/bearer.ts';
import { anthropicVersion, claudeClientHeaders, claudeScope, isClaude } from '../shared/claude.ts';
import { customToolLosses } from '../shared/custom-tool-losses.ts';
import { textSetting } from '../shared/text-setting.ts';
import { withApiVersion } from '../shared/with-query-member.ts';
import { azureAiBaseUrl, azureAiKind } from './azure-ai-address.ts';
import { extraParameters, withOlderLimit } from './extra-parameters.ts';
import { passThroughPath } from './pass-through-path.ts';

const id = 'azure-ai';

/** https://learn.microsoft.com/rest/api/aifoundry/model-inference/get-chat-completions/get-chat-completions */
const lacks: readonly LackedContent[] = ['document', 'video', 'stored-file', 'custom-tool'];

const versioned = (path: string, settings: JsonObject): string =>
  withApiVersion(
    path,
    textSetting(settings, 'api_version') ?? textSetting(settings, 'clouda_api_version') ?? '2024-05-01-preview',
  );

/**
 * A resource serves all models through OpenAI's API. The Model Inference API below `/models` was to retire on 2026-08-26, and is
 * called only if the URL names it (https://github.com/Azure/azure-rest-api-specs/pull/43907).
 */
const inference =
  (path: string): Endpoint =>
  ({ settings }) => {
    switch (azureAiKind(settings)) {
      case 'openai':
        return path;
      case 'resource':
        return `/openai/v1${path}`;
      default:
        return versioned(path, settings);
    }
  };

/**
 * A Foundry resource has the APIs of some makers below their names, and a deployment has the maker's own paths:
 * https://learn.microsoft.com/azure/ai-foundry/how-to/deploy-models-cohere-rerank
 */
const rerank: Endpoint = ({ settings, path }) => {
  if (azureAiKind(settings) === 'resource') return '/providers/cohere/v2/rerank';
  return path?.startsWith('/v2/') === true ? '/v2/rerank' : '/v1/rerank';
};

/** https://learn.microsoft.com/azure/ai-foundry/how-to/use-image-models */
const ocr: Endpoint = ({ settings }) =>
  azureAiKind(settings) === 'resource' ? '/providers/mistral/azure/ocr' : '/v1/ocr';

/** https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry */
const messages: Endpoint = ({ settings }) =>
  azureAiKind(settings) === 'resource' ? '/anthropic/v1/messages' : '/v1/messages';

/** https://platform.claude.com/docs/en/build-with-claude/token-counting */
const messagesCount: Endpoint = (call) => `${typeof messages === 'string' ? messages : messages(call)}/count_tokens`;

/**
 * The operations of OpenAI's API at a resource that Model Inference lacks:
 * https://learn.microsoft.com/azure/ai-foundry/openai/latest
 */
const openaiOnly = ['images', 'image-edits', 'speech', 'transcriptions', 'translations'];

const keyHeader = (credential: Credential, isResource: boolean): RawHeaders => {
  const { api_key: key } = credential;
  return isResource && key !== undefined ? ['api-key', key] : bearer(credential);
};

/** Returns the header that chooses one of several deployments of an endpoint. */
const deploymentHeader = (settings: JsonObject): RawHeaders => {
  const name = textSetting(settings, 'clouda_deployment_name');
  const isManaged = textSetting(settings, 'clouda_deployment_type') === 'managed';
  return isManaged && name !== undefined ? ['azureml-model-deployment', name] : [];
};

/** https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/endpoints */
export const azureAi: Provider = defineProvider({
  id,
  listedAs: 'azure',
  documentation: 'https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/endpoints',
  baseUrl: azureAiBaseUrl,
  credential: 'required',
  credentialFields: ['api_key', ...entraCredentialFields],
  settings: [
    'clouda_deployment_name',
    'clouda_deployment_type',
    'clouda_region',
    'clouda_api_version',
    'api_version',
    'clouda_endpoint_name',
    'clouda_foundry_url',
    'clouda_extra_params',
    ...entraSettings,
  ],
  usesMachineIdentity,
  speaks: {
    chat: inference('/chat/completions'),
    messages,
    embeddings: inference('/embeddings'),
    'messages-count': messagesCount,
    rerank,
    ocr,
    images: inference('/images/generations'),
    'image-edits': inference('/images/edits'),
    speech: inference('/audio/speech'),
    transcriptions: inference('/audio/transcriptions'),
    translations: inference('/audio/translations'),
  },
  dialectsOf(model, settings) {
    const kind = azureAiKind(settings);
    const isMessages = kind === 'anthropic' || (kind === 'resource' && isClaude(model));
    if (isMessages) return ['messages', 'messages-count'];
    const isMakers = kind === 'resource' || kind === 'deployment';
    return [
      'chat',
      'embeddings',
      ...(isMakers ? ['rerank', 'ocr'] : []),
      ...(kind === 'resource' || kind === 'openai' ? openaiOnly : []),
    ];
  },
  settingsModels(settings) {
    const name = textSetting(settings, 'clouda_deployment_name');
    return name === undefined ? [] : [name];
  },
  clientHeaders: claudeClientHeaders,
  headers: (credential, settings) => {
    const kind = azureAiKind(settings);
    const servesClaude = kind === 'anthropic' || kind === 'resource';
    const readsExtra = kind === 'models' || kind === 'deployment';
    return [
      ...azureHeaders(credential, settings, keyHeader(credential, kind !== 'deployment')),
      ...(readsExtra
        ? ['extra-parameters', textSetting(settings, 'clouda_extra_params') ?? 'drop', ...deploymentHeader(settings)]
        : []),
      ...(servesClaude ? ['anthropic-version', anthropicVersion] : []),
    ];
  },
  drop: extraParameters,
  lacks: { chat: lacks },
  losses: [
    { member: 'turns.parts.media', why: 'The API accepts only texts, images and inline audio.' },
    ...customToolLosses(lacks),
  ],
  // https://learn.microsoft.com/rest/api/aifoundry/model-inference/get-embeddings/get-embeddings#embeddinginputtype
  embeddings: { purpose: { member: 'input_type', words: { query: 'query', document: 'document' } } },
  adaptsOwn: ['chat'],
  adapt: (body, dialect, settings) => (dialect === 'chat' ? withOlderLimit(body, settings) : body),
  // The gateway in front of it returns {"statusCode", "message"}.
  errorsVary: true,
  hasRealtime: true,
  authorize: authorizeWithEntra,
  passThrough: passThroughPath,
  stateScope: ({ fingerprint, model }) => (isClaude(model) ? claudeScope : `${id} ${fingerprint}`),
});
