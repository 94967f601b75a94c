/**
 * Describes settings that several providers read, or that only a saved provider and the headers of a request have: by name, as a
 * sentence or two for their readers. The schema of configs describes those that are its members, and a provider those of its own.
 */
export const settingDescriptions: Readonly<Record<string, string>> = {
  clouda_foundry_url:
    'The URL of a resource of Azure AI Foundry, such as `https://my-resource.services.ai.azure.com`; it may end with `/models`, `/openai/v1` or `/anthropic`, the interface to call.',
  clouda_extra_params:
    'How the Model Inference API treats parameters that a model does not have: `drop` (the default), `pass-through` or `error`.',
  clouda_ad_token: 'A token of Microsoft Entra ID, which is sent in place of a key.',
  clouda_auth_mode:
    'The identity for which a token of Microsoft Entra ID is requested: `entra`, a client with a secret; `managed` or `workload`, the identity of the machine, which only targets of the operator may have.',
  clouda_entra_tenant_id: 'The tenant of Microsoft Entra ID in which the client is registered.',
  clouda_entra_client_id: 'The id of the client that requests a token of Microsoft Entra ID.',
  clouda_entra_client_secret: 'The secret of that client.',
  clouda_entra_scope: 'The scope that the token is for, where it is not that of the service.',
  clouda_managed_client_id: 'The client id of a managed identity that was assigned to the machine by a user.',
  cloudb_request_type:
    'The capacity that serves the request: `dedicated`, which was bought in advance, or `shared`, which is paid as it is used.',
  cloudb_storage_bucket_name: 'The bucket of Cloud Storage in which files and batches are.',
  cloudc_auth_type:
    'How requests prove who sends them, where there are several ways: `apiKey`, by the key as a bearer token; `assumedRole`, by the role of `cloudc_role_arn`, which must be there then.',
  cloudc_role_arn: 'The ARN of a role that the access keys assume.',
  cloudc_external_id: 'The external id that the role asks for.',
  cloudc_s3_bucket: 'The bucket of S3 in which files and batches are.',
  cloudc_job_role_arn: 'The ARN of the role with which Bedrock reads and writes that bucket.',
  cloudc_server_side_encryption: 'How S3 encrypts what is written there, such as `AES256` or `aws:kms`.',
  cloudc_server_side_encryption_kms_key_id: 'The key of KMS with which S3 encrypts it.',
  oracle_private_key: 'The private key that signs requests, as PEM.',
  oracle_key_passphrase: 'The passphrase of that key, if it has one.',
  watsonx_token: 'A token of IBM Cloud, which is sent in place of a key.',
  fireworks_account_id: 'The id of the account, in which files, batches and fine-tuning are.',
};
