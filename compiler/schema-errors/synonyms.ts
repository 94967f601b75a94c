import { renamedMembers } from '../../schema/portkey/members.ts';
import { spelling } from '../diagnostics/spelling.ts';

/** Words that people use for a key, by the kind of object (its place in the schema) and the key. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    retry:
      'retries retry_policy retry_config retry_settings retry_options max_retries num_retries retry_attempts retry_count',
    request_timeout: 'timeout timeout_ms timeout_seconds request_timeout_ms read_timeout time_out',
    custom_host:
      'base_url api_base api_url host url uri endpoint base_uri base_path custom_url hostname host_url server',
    api_key: 'key token secret credential credentials auth api_token auth_token access_token bearer secret_key',
    targets: 'providers models routes children nodes endpoints backends members target_list deployments_list options',
    forward_headers:
      'headers extra_headers custom_headers default_headers request_headers pass_headers forwarded_headers',
    cache: 'caching cache_config cache_settings cache_policy cache_mode cache_options',
    cb_config: 'circuit_breaker circuit_breaker_config cb circuit cb_settings',
    probe: 'health health_check healthcheck health_probe ping probes',
    override_params:
      'params parameters overrides override default_params defaults model_params request_params body body_params',
    virtual_key: 'vk virtual_key_id virtual_keys virtual_key_slug',
    provider: 'vendor provider_name provider_id provider_slug service llm llm_provider backend integration',
    name: 'id alias label title target_name slug',
    prompt_id: 'prompt prompt_template prompt_slug',
    strategy: 'routing router routing_strategy strategies policy balancer load_balancer',
    weight: 'weights share percentage percent ratio traffic traffic_percent priority',
    llmv_organization: 'organization org org_id organization_id',
    llmv_project: 'project',
    cloudb_project_id: 'vertex_project project_id google_project google_cloud_project gcp_project gcp_project_id',
    cloudb_region: 'vertex_location location google_cloud_location google_region gcp_region',
    cloudb_service_account_json: 'vertex_credentials google_credentials service_account service_account_json',
    cloudc_region: 'aws_region_name aws_default_region',
    deployment_id: 'deployment deployment_name',
    api_version: 'version_of_api',
    resource_name: 'resource',
    on_status_codes: 'status_codes fallback_on fallback_status_codes',
    before_request_hooks: 'before_hooks pre_hooks input_hooks pre_request_hooks',
    after_request_hooks: 'after_hooks post_hooks output_hooks post_request_hooks',
    input_guardrails: 'input_checks request_guardrails before_request_guardrails pre_guardrails',
    output_guardrails: 'output_checks response_guardrails answer_guardrails after_request_guardrails post_guardrails',
  },
  '/strategy': {
    mode: 'type name kind strategy algorithm policy method routing',
    on_status_codes:
      'status_codes codes on_status on_codes on fallback_codes statuses trigger triggers fallback_on on_errors on_error',
    conditions: 'rules cases branches if condition',
    default: 'default_target otherwise else fallback fallback_target',
  },
  '/strategy/conditions/*': {
    then: 'target targets target_name use goto route result action to do name',
    query: 'if when condition match where filter expression conditions rule',
  },
  '/retry': {
    attempts: 'count retries max_retries max_attempts times max num_retries limit tries retry_count retry',
    on_status_codes: 'status_codes codes on_status on_codes on retry_on retry_status_codes statuses on_errors',
    use_retry_after_headers: 'retry_after use_retry_after respect_retry_after use_headers honor_retry_after',
  },
  '/cache': {
    mode: 'type strategy kind name cache_mode',
    max_age: 'ttl age expiry expires expiration expires_in duration seconds max_age_seconds cache_ttl lifetime',
  },
  '/cb_config': {
    failure_threshold:
      'threshold failures max_failures failure_count error_threshold failure_limit failure_threshold_percentage',
    cooldown_interval:
      'cooldown timeout reset_timeout interval cooldown_time open_time recovery_time cooldown_ms cooldown_seconds cooldown_period',
    failure_status_codes: 'status_codes codes on_status_codes failure_codes on_status error_codes',
  },
  '/breaker': {
    by: 'divide divided_by divide_by split split_by per scope',
  },
  '/probe': {
    path: 'url endpoint uri route address',
    every_ms: 'every interval interval_ms period period_ms frequency seconds',
  },
  '/hooks/*': {
    id: 'name slug guardrail hook_id',
    on_fail: 'on_failure fail on_error failure',
    on_success: 'on_pass on_passed success pass',
    checks: 'check rules guardrails conditions',
  },
  '/hooks/*/checks/*': {
    id: 'name type check check_id kind',
    parameters: 'params config options args arguments settings parameter',
  },
  // Names that checks use for their parameters.
  parameters: {
    rule: 'regex regexp pattern expression match',
    words: 'keywords terms list values strings phrases',
    operator: 'op mode match_type comparison',
    not: 'negate invert inverse',
    failOnError: 'fail_on_exception',
    timeout: 'timeout_ms timeout_seconds',
  },
  '/feedback': { value: 'score mark rating', metadata: 'data' },
  '/deployments/*': {
    deployment_id: 'id name deployment deployment_name',
    alias: 'model model_name models',
    api_version: 'version',
    is_default: 'default',
  },
};

const keysByWord: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(words).map(([kind, keys]) => [
    kind,
    new Map(
      Object.entries(keys).flatMap(([key, list]) => list.split(' ').map((word) => [spelling(word), key] as const)),
    ),
  ]),
);

/** The keys by their names in Portkey. */
const portkeyWords: ReadonlyMap<string, string> = new Map(
  Object.entries(renamedMembers).map(([word, key]) => [spelling(word), key]),
);

/** Returns the key of a kind of object for which a word is another name. */
export const findSynonym = (kind: string, word: string): string | undefined =>
  keysByWord.get(kind)?.get(spelling(word)) ?? (kind === '' ? portkeyWords.get(spelling(word)) : undefined);

/** Returns the kind of object at a place in the schema: the places of hooks, of checks and of feedback are one kind each. */
export const objectKind = (schemaPath: string): string => {
  if (schemaPath.endsWith('/feedback')) return '/feedback';
  return schemaPath.replace(/^\/(?:before|after)_request_hooks/, '/hooks');
};
