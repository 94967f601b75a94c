/** The counterpart of a header of Portkey's clients. */
export type PortkeyHeader =
  /** The header is read as this one. */
  | { readonly as: string }
  /** The header is ignored because it has no effect here. */
  | { readonly unread: string }
  /** The header has no counterpart. The sentence says what to do instead. */
  | { readonly instead: string };

/** The prefix of all of their names. */
export const portkeyPrefix = 'x-portkey-';

type Rows = readonly (readonly [name: string, header: PortkeyHeader])[];

/** Returns the rows of headers whose names begin with `there` at Portkey and with `here` in this gateway. */
const as = (there: string, here: string, names: string): Rows =>
  names.split(' ').map((name) => [there + name, { as: here + name }]);

const unread = (why: string, names: string): Rows => names.split(' ').map((name) => [name, { unread: why }]);

const instead = (sentence: string, names: string): Rows =>
  names.split(' ').map((name) => [name, { instead: sentence }]);

const ofAccount =
  'Save the provider with this setting in the gateway file or a store, and name it as @slug, or name it in a config.';

/**
 * The headers that Portkey's gateway and libraries know, by their names without the prefix.
 * https://portkey.ai/docs/api-reference/inference-api/headers, and the names that its open-source gateway reads
 * (https://github.com/Portkey-AI/gateway/blob/main/src/handlers/handlerUtils.ts).
 */
export const portkeyHeaders: ReadonlyMap<string, PortkeyHeader> = new Map<string, PortkeyHeader>([
  ...as(
    '',
    'x-gw-',
    'api-key config provider virtual-key custom-host forward-headers request-timeout trace-id metadata ' +
      'cache-force-refresh cache-namespace debug sensitive-headers span-id parent-span-id span-name ' +
      'provider-file-name provider-model provider-batch-endpoint file-upload-size ' +
      'amz-server-side-encryption amz-server-side-encryption-aws-kms-key-id ' +
      'default-input-guardrails default-output-guardrails',
  ),
  ['strict-open-ai-compliance', { as: 'x-gw-strict-llmv-compliance' }],
  ...as('openai-', 'x-gw-llmv-', 'organization project'),
  ...as(
    'azure-',
    'x-gw-clouda-',
    'resource-name deployment-id api-version model-name endpoint-name deployment-name deployment-type region foundry-url ' +
      'extra-params ad-token auth-mode entra-tenant-id entra-client-id entra-client-secret entra-scope managed-client-id',
  ),
  ...as('vertex-', 'x-gw-cloudb-', 'project-id region service-account-json storage-bucket-name'),
  ...as(
    'aws-',
    'x-gw-cloudc-',
    'access-key-id secret-access-key session-token region role-arn external-id auth-type s3-bucket s3-object-key bedrock-model',
  ),
  ...as(
    '',
    'x-gw-',
    'workers-ai-account-id fireworks-account-id snowflake-account huggingface-base-url mistral-fim-completion',
  ),
  ...as('stability-client-', 'x-gw-stability-client-', 'id user-id version'),
  ...as(
    'amzn-sagemaker-',
    'x-gw-amzn-sagemaker-',
    'custom-attributes target-model target-variant target-container-hostname inference-id enable-explanations ' +
      'inference-component session-id',
  ),
  ...as('oracle-', 'x-gw-oracle-', 'region tenancy user fingerprint private-key key-passphrase compartment-id'),
  // Providers have these without the prefix. Both spellings belong to the client.
  ...as('', '', 'anthropic-beta anthropic-version openai-beta'),
  ...unread('It describes the client.', 'package-version runtime runtime-version dangerously-allow-browser'),
  ...unread('It names a model in the prices of Portkey.', 'amzn-sagemaker-model-name'),
  ...unread('It is for the log of Portkey.', 'calculate-audio-duration audio-file-duration'),
  ...unread('It is of another API of Oracle than the one that is called.', 'oracle-api-version oracle-serving-mode'),
  ...instead(ofAccount, 'azure-workload-client-id'),
  ...instead('Send it as "purpose" in the form of the file.', 'file-purpose'),
  ...instead('Send the model in x-portkey-provider-model.', 'model-type'),
  ...instead('Name the provider in x-portkey-provider.', 'mode'),
  ...instead('Write "retry" in a config.', 'retry-count'),
  ...instead('Write "cache" in a config.', 'cache'),
]);
