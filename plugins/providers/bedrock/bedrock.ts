import type { PromptCacheRules } from '../../sdk/dialect/cache-hints.ts';
import { fillModel } from '../../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { usesAwsKeys } from '../auth/aws-target.ts';
import { bearer } from '../shared/bearer.ts';
import { claudeScope, isClaude } from '../shared/claude.ts';
import { claudePromptCache } from '../shared/claude-prompt-cache.ts';
import { runtimeOrigin, s3Origin, servingOrigin } from './aws-address.ts';
import { bedrockChanges } from './bedrock-changes.ts';

/** Models that reject a cache point, although Anthropic itself caches for them. */
const refusing = /claude-3-(?:5-sonnet|opus|haiku)/;

/**
 * Returns a model's rules for prompt caching on Bedrock, or undefined for a model that rejects requests with a cache point or is
 * not known: the ARN of an inference profile does not name its model. Nova rejects cache points in tools, and in some messages:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
const bedrockPromptCache = (model = ''): PromptCacheRules | undefined => {
  if (/(?:^|[./])amazon\.nova-(?:micro|lite|pro|premier)-/.test(model))
    return { minTokens: 1000, most: 4, in: ['system'] };
  return refusing.test(model) ? undefined : claudePromptCache(model);
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
const maxBytes = 25_000_000;

const id = 'bedrock';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const converse: Endpoint = ({ model, stream }) =>
  fillModel(`/model/{model}/${stream ? 'converse-stream' : 'converse'}`, { model, provider: id });

/** Matches the part of an inference profile's name before the model. Token counting requires the model alone. */
const profile = /^(?:arn:[^/]*:inference-profile\/)?(?:(?:apac|au|ca|eu|global|jp|sa|us|us-gov)\.)?/;

/** Only Claude's tokens can be counted: https://docs.aws.amazon.com/bedrock/latest/userguide/count-tokens.html */
const count: Endpoint = ({ model }) =>
  fillModel('/model/{model}/count-tokens', { model: model?.replace(profile, ''), provider: id });

/** The formats of the models that produce vectors, by the prefix of their names. */
const formats: readonly (readonly [prefix: string, format: string])[] = [
  ['amazon.titan-embed-', 'titan-embeddings'],
  ['amazon.nova-2-multimodal-embeddings', 'nova-embeddings'],
  ['cohere.embed-', 'cohere-embeddings'],
];

/** Returns the name without the region of an inference profile, or the last segment of an ARN: `us.cohere.embed-v4:0`. */
const bareName = (model: string): string =>
  model.replace(/^.*\//s, '').replace(/^(?:[a-z]{2,6}|us-gov)\.(?=[a-z0-9]+\.)/, '');

/** Returns the format in which a model produces vectors, or undefined for one with conversations or an unknown name. */
const embeddingFormat = (model: string): string | undefined => {
  const name = bareName(model);
  return formats.find(([prefix]) => name.startsWith(prefix))?.[1];
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
const invoke: Endpoint = ({ model }) => fillModel('/model/{model}/invoke', { model, provider: id });

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html: the others accept one text each. */
const maxTexts = (model = ''): number | undefined => {
  const format = embeddingFormat(model);
  if (format === undefined) return undefined;
  return format === 'cohere-embeddings' ? 96 : 1;
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html */
export const bedrock: Provider = defineProvider({
  id,
  aliases: ['cloudc'],
  listedAs: 'aws',
  documentation: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html',
  baseUrl: runtimeOrigin,
  credential: 'required',
  credentialFields: ['api_key', 'cloudc_access_key_id', 'cloudc_secret_access_key', 'cloudc_session_token'],
  settings: [
    ...['cloudc_region', 'cloudc_role_arn', 'cloudc_external_id', 'cloudc_auth_type'],
    ...['cloudc_s3_bucket', 'cloudc_job_role_arn'],
    ...['cloudc_server_side_encryption', 'cloudc_server_side_encryption_kms_key_id'],
  ],
  speaks: {
    converse,
    'converse-count': count,
    'cohere-embeddings': invoke,
    'titan-embeddings': invoke,
    'nova-embeddings': invoke,
    'bedrock-rerank': invoke,
    'bedrock-images': invoke,
  },
  dialectsOf: (model = '') => [
    embeddingFormat(model) ?? 'converse',
    ...(isClaude(model) ? ['converse-count'] : []),
    ...['bedrock-rerank', 'bedrock-images'],
  ],
  maxTexts,
  // The path names the model: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html
  adaptsOwn: ['cohere-embeddings'],
  adapt(body, dialect) {
    if (dialect !== 'cohere-embeddings') return body;
    const { model: _, ...rest } = body;
    return rest;
  },
  headers: (credential, settings) => (usesAwsKeys(credential, settings) ? [] : bearer(credential)),
  async authorize(request, context) {
    const { credential, settings } = context;
    const { isStorage = false, origin, path } = request;
    const placed = isStorage ? request : { ...request, origin: servingOrigin(origin, path, settings) };
    if (!usesAwsKeys(credential, settings)) {
      if (isStorage)
        throw new Error('S3 requires access keys rather than an api_key: cloudc_access_key_id is missing.');
      return placed;
    }
    // Loaded on demand, because most gateways sign nothing.
    const { signWithKeys } = await import('../auth/sign-with-keys.ts');
    return signWithKeys(placed, context, { service: isStorage ? 's3' : 'bedrock', maxBytes });
  },
  changesAccount: bedrockChanges,
  storageOrigin: s3Origin,
  promptCache: bedrockPromptCache,
  stateScope: ({ fingerprint, model }) => (isClaude(model) ? claudeScope : `${id} ${fingerprint}`),
});
