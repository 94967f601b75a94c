/**
 * Descriptions of settings that several providers read, or that only saved providers and request headers have, by name: a
 * sentence or two for users. The config schema describes the settings that are its members, and a provider describes its own.
 */
export const settingDescriptions: Readonly<Record<string, string>> = {
  clouda_foundry_url:
    'The URL of a resource of Azure AI Foundry, such as `https://my-resource.services.ai.azure.com`; it may end with `/models`, `/openai/v1` or `/anthropic`, the interface to call.',
  clouda_extra_params:
    'How the Model Inference API treats parameters that a model does not have: `drop` (the default), `pass-through` or `error`.',
  clouda_ad_token: 'A token of Microsoft Entra ID, which is sent instead of a key.',
  clouda_auth_mode:
    'The identity for which a token of Microsoft Entra ID is requested: `entra`, a client with a secret; `managed` or `workload`, the identity of the machine, which only the operator may use in targets.',
  clouda_entra_tenant_id: 'The tenant of Microsoft Entra ID in which the client is registered.',
  clouda_entra_client_id: 'The id of the client that requests a token of Microsoft Entra ID.',
  clouda_entra_client_secret: 'The secret of that client.',
  clouda_entra_scope: 'The scope of the token, if it is not that of the service.',
  clouda_managed_client_id: 'The client id of a user-assigned managed identity.',
  cloudb_request_type:
    'The capacity that serves the request: `dedicated`, which is bought in advance, or `shared`, which is paid per use.',
  cloudb_storage_bucket_name: 'The Cloud Storage bucket that contains files and batches.',
  cloudc_auth_type:
    'How requests authenticate, if there are several ways: `apiKey`, with the key as a bearer token; `assumedRole`, with the role of `cloudc_role_arn`, which is then required.',
  cloudc_role_arn: 'The ARN of a role that the access keys assume.',
  cloudc_external_id: 'The external id that the role requires.',
  cloudc_s3_bucket: 'The S3 bucket that contains files and batches.',
  cloudc_job_role_arn: 'The ARN of the role with which Bedrock reads and writes that bucket.',
  cloudc_server_side_encryption: 'How S3 encrypts objects in the bucket, such as `AES256` or `aws:kms`.',
  cloudc_server_side_encryption_kms_key_id: 'The KMS key with which S3 encrypts them.',
  oracle_private_key: 'The private key that signs requests, as PEM.',
  oracle_key_passphrase: 'The passphrase of that key, if it has one.',
  watsonx_token: 'A token of IBM Cloud, which is sent instead of a key.',
  fireworks_account_id: 'The id of the account that contains files, batches and fine-tuning jobs.',
};
