import type { Config } from '../../schema/generated/config.ts';
import type { Settings } from './ir-node.ts';

/**
 * What a target inherits. `merge`: member by member, its own win. `replace`: its own instead of the inherited one.
 * `unit`: part of `inputHooks` or `outputHooks`. `own`: not inherited.
 */
export type Inheritance = 'merge' | 'replace' | 'unit' | 'own';

/** One row for every field of a config: a new field does not compile until it is decided here. */
export const inheritance: { readonly [Field in keyof Required<Config> | keyof Settings]: Inheritance } = {
  override_params: 'merge',
  retry: 'replace',
  cache: 'replace',
  cb_config: 'replace',
  request_timeout: 'replace',
  forward_headers: 'replace',
  custom_host: 'replace',
  strict_llmv_compliance: 'replace',
  inputHooks: 'replace',
  outputHooks: 'replace',
  before_request_hooks: 'unit',
  input_guardrails: 'unit',
  after_request_hooks: 'unit',
  output_guardrails: 'unit',
  name: 'own',
  provider: 'own',
  api_key: 'own',
  virtual_key: 'own',
  prompt_id: 'own',
  weight: 'own',
  on_status_codes: 'own',
  targets: 'own',
  strategy: 'own',
  resource_name: 'own',
  deployment_id: 'own',
  api_version: 'own',
  deployments: 'own',
  llmv_organization: 'own',
  llmv_project: 'own',
  cloudc_access_key_id: 'own',
  cloudc_secret_access_key: 'own',
  cloudc_region: 'own',
  cloudc_session_token: 'own',
  cloudb_project_id: 'own',
  cloudb_region: 'own',
  cloudb_service_account_json: 'own',
  clouda_region: 'own',
  clouda_deployment_name: 'own',
  clouda_deployment_type: 'own',
  clouda_endpoint_name: 'own',
  clouda_api_version: 'own',
};
