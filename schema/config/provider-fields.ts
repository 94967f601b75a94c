import type { Config } from '../generated/config.ts';

/**
 * In names of fields, `llmv` is the vendor of the reference chat API, `clouda` a cloud with resources and deployments, `cloudb`
 * one with a project and a region, and `cloudc` one with access keys and a region. The README of `schema/` names the vendors.
 */
type Field = keyof Config;

/** Config fields that contain secrets. */
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
  'clouda_model_name',
];

/**
 * The second spellings of fields (the provider-specific parameter set), each with the first. After
 * `compiler/resolve/context/normalise-spellings.ts`, a config has only first spellings. Code that reads a config as it was written must
 * call `firstSpelling`.
 */
export const secondSpellings: Readonly<Record<SecondSpelling, FirstSpelling>> = {
  clouda_resource_name: 'resource_name',
  clouda_deployment_id: 'deployment_id',
  clouda_api_version: 'api_version',
  Authorization: 'api_key',
};

export type SecondSpelling = Extract<
  Field,
  'clouda_resource_name' | 'clouda_deployment_id' | 'clouda_api_version' | 'Authorization'
>;
type FirstSpelling = Extract<Field, 'resource_name' | 'deployment_id' | 'api_version' | 'api_key'>;

const firstSpellings: ReadonlyMap<string, Field> = new Map(Object.entries(secondSpellings));

/** Returns a field's name in its first spelling, and every other name unchanged. */
export const firstSpelling = (name: string): string => firstSpellings.get(name) ?? name;
