import type { JsonObject } from '../../../schema/json/json.ts';
import type { PromptCacheRules } from '../../sdk/dialect/cache-hints.ts';
import { fillModel } from '../../sdk/provider/fill-model.ts';
import { type Credential, defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../row-parts/bearer.ts';
import { claudeScope, isClaude } from '../row-parts/claude.ts';
import { claudePromptCache } from '../row-parts/claude-prompt-cache.ts';
import { runtimeOrigin, s3Origin, servingOrigin } from './aws-address.ts';
import { bedrockChanges } from './bedrock-changes.ts';

/** Whether requests are signed with access keys; otherwise the `api_key` is a bearer token. */
const usesKeys = (credential: Credential, settings: JsonObject): boolean =>
  settings.cloudc_auth_type !== 'apiKey' &&
  (credential.cloudc_access_key_id !== undefined || credential.cloudc_secret_access_key !== undefined);

/** Models that refuse a cache point, although Anthropic itself caches for them. */
const refusing = /claude-3-(?:5-sonnet|opus|haiku)/;

/**
 * Finds the rules by which a model caches on Bedrock; undefined for one that refuses requests with a cache point, or
 * that is not known: an ARN of an inference profile does not say its model. Nova refuses cache points in tools, and in
 * some messages: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
const bedrockPromptCache = (model = ''): PromptCacheRules | undefined => {
  if (/(?:^|[./])amazon\.nova-(?:micro|lite|pro|premier)-/.test(model))
    return { minTokens: 1000, most: 4, in: ['system'] };
  return refusing.test(model) ? undefined : claudePromptCache(model);
};

const id = 'bedrock';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const converse: Endpoint = ({ model, stream }) =>
  fillModel(`/model/{model}/${stream ? 'converse-stream' : 'converse'}`, { model, provider: id });

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
  speaks: { converse, 'bedrock-images': '/model/{model}/invoke' },
  headers: (credential, settings) => (usesKeys(credential, settings) ? [] : bearer(credential)),
  async authorize(request, context) {
    const { credential, settings } = context;
    const { isStorage = false, origin, path } = request;
    const placed = isStorage ? request : { ...request, origin: servingOrigin(origin, path, settings) };
    if (!usesKeys(credential, settings)) {
      if (isStorage) throw new Error('S3 takes access keys, and no api_key: cloudc_access_key_id is missing.');
      return placed;
    }
    // Loaded when it is needed, as most gateways sign nothing.
    const { signWithKeys } = await import('./sign-with-keys.ts');
    return signWithKeys(placed, context);
  },
  changesAccount: bedrockChanges,
  storageOrigin: s3Origin,
  promptCache: bedrockPromptCache,
  stateScope: ({ fingerprint, model }) => (isClaude(model) ? claudeScope : `${id} ${fingerprint}`),
});
