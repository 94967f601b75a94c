import type { Config } from '../generated/config.ts';

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
  'clouda_model_name',
];

/**
 * The second spellings of fields, each with the first: the provider-specific parameter set. A config is read with the first
 * alone from `compiler/resolve/context/one-spelling.ts` on; whoever reads a config as it is written asks `firstSpelling`.
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

/** A field's name in its first spelling; every other name as it is. */
export const firstSpelling = (name: string): string => firstSpellings.get(name) ?? name;
