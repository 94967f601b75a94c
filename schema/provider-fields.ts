import type { Config } from './generated/config.ts';

/**
 * In names of fields `llmv` is the vendor of the reference chat API, `clouda` a cloud with resources and deployments,
 * `cloudb` one with a project and a region, `cloudc` one with access keys and a region; the README of `schema/` names them.
 */
type Field = keyof Config;

/** Config fields that hold secrets. */
export const credentialFields: readonly Field[] = [
  'api_key',
  'cloudc_access_key_id',
  'cloudc_secret_access_key',
  'cloudc_session_token',
  'cloudb_service_account_json',
];

/** Config fields that a provider may read to find its address or to name what it serves. */
export const settingFields: readonly Field[] = [
  'resource_name',
  'deployment_id',
  'api_version',
  'deployments',
  'llmv_organization',
  'llmv_project',
  'cloudc_region',
  'cloudb_project_id',
  'cloudb_region',
  'clouda_region',
  'clouda_deployment_name',
  'clouda_deployment_type',
  'clouda_endpoint_name',
  'clouda_api_version',
];
