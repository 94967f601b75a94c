/** The members of Portkey configs that have another name here, in snake case. */
export const renamedMembers: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
  aws_access_key_id: 'cloudc_access_key_id',
  aws_region: 'cloudc_region',
  aws_secret_access_key: 'cloudc_secret_access_key',
  aws_session_token: 'cloudc_session_token',
  azure_api_version: 'api_version',
  azure_deployment_id: 'deployment_id',
  azure_deployment_name: 'clouda_deployment_name',
  azure_deployment_type: 'clouda_deployment_type',
  azure_endpoint_name: 'clouda_endpoint_name',
  azure_model_name: 'clouda_model_name',
  azure_region: 'clouda_region',
  azure_resource_name: 'resource_name',
  openai_organization: 'llmv_organization',
  openai_project: 'llmv_project',
  strict_open_ai_compliance: 'strict_llmv_compliance',
  use_retry_after_header: 'use_retry_after_headers',
  vertex_project_id: 'cloudb_project_id',
  vertex_region: 'cloudb_region',
  vertex_service_account_json: 'cloudb_service_account_json',
};

/** Other spellings of `strategy.mode`. */
export const renamedModes: Readonly<Record<string, string>> = {
  'load-balance': 'loadbalance',
  load_balance: 'loadbalance',
};

/** Members that Portkey allows inside of a strategy, and that are beside it here. */
export const movedOutOfStrategy: ReadonlySet<string> = new Set(['cache', 'cb_config', 'request_timeout', 'retry']);

/** Members whose values contain names that the user chooses. */
const ownNames: ReadonlySet<string> = new Set([
  'override_params',
  'query',
  'parameters',
  'credentials',
  'metadata',
  'vertex_service_account_json',
]);

/** Members of a guardrail that are not checks. */
const guardrailMembers: ReadonlySet<string> = new Set([
  'async',
  'deny',
  'guardrail_version_id',
  'id',
  'on_fail',
  'on_success',
  'sequential',
  'type',
]);

/** Whether a member of a guardrail is a check. Its name may lack a dot, and is kept unchanged. */
export const isCheckName = (name: string): boolean => !guardrailMembers.has(toSnake(name));

/**
 * Whether the names in a member's value do not belong to the format: the user chooses them, or they are parameters of a check,
 * whose id has a dot.
 */
export const isOwnName = (name: string): boolean => ownNames.has(name) || name.includes('.');

/** Converts a name to snake case, because configs may have `requestTimeout` or `request_timeout`. */
export const toSnake = (name: string): string =>
  /[.$@]/.test(name) || /^[A-Z_]+$/.test(name)
    ? name
    : name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
