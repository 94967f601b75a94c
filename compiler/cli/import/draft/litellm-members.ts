import { closestName, suggestName } from '../../../../schema/text/closest-name.ts';

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A section of LiteLLM's file; an entry is one of `model_list`. */
export type Section = '' | 'entry' | 'general_settings' | 'litellm_params' | 'litellm_settings' | 'router_settings';

/** The members that LiteLLM reads, by section: https://docs.litellm.ai/docs/proxy/config_settings and its `router.py`. */
const members: Readonly<Record<Section, readonly string[]>> = {
  '': names(
    'callback_settings credential_list environment_variables files_settings finetune_settings general_settings guardrails include litellm_settings mcp_servers model_list prompts router_settings search_tools vector_store_registry',
  ),
  entry: names('litellm_params model_info model_name order'),
  general_settings: names(`
    alert_types alerting alerting_args alerting_threshold allow_requests_on_db_unavailable allowed_ips allowed_routes
    background_health_checks custom_auth custom_sso database_connection_pool_limit database_connection_timeout database_url
    default_team_disabled disable_master_key_return disable_spend_logs enable_jwt_auth enforce_user_param enforced_params
    forward_client_headers_to_llm_api global_max_parallel_requests health_check_interval infer_model_from_keys key_management_system
    litellm_jwtauth master_key max_parallel_requests max_request_size_mb max_response_size_mb pass_through_endpoints
    proxy_batch_write_at proxy_budget_rescheduler_max_time proxy_budget_rescheduler_min_time store_model_in_db
    store_prompts_in_spend_logs`),
  litellm_params: names(`
    api_base api_key api_version aws_access_key_id aws_bedrock_runtime_endpoint aws_profile_name aws_region_name aws_role_name
    aws_secret_access_key aws_session_name aws_session_token azure_ad_token base_url budget_duration client_id client_secret
    configurable_clientside_auth_params custom_llm_provider dimensions drop_params extra_body extra_headers frequency_penalty
    guardrails input_cost_per_second input_cost_per_token litellm_credential_name logit_bias logprobs max_budget
    max_completion_tokens max_parallel_requests max_retries max_tokens merge_reasoning_content_in_choices min_p mock_response
    mock_timeout model modify_params n num_retries order organization output_cost_per_second output_cost_per_token
    presence_penalty reasoning_effort region_name request_timeout response_format rpm seed service_tier stop stream
    stream_timeout tags temperature tenant_id thinking timeout tool_choice tools top_k top_logprobs top_p tpm
    use_in_pass_through user vertex_credentials vertex_location vertex_project weight`),
  litellm_settings: names(`
    allowed_fails budget_duration cache cache_params callbacks content_policy_fallbacks context_window_fallbacks cooldown_time
    custom_provider_map default_fallbacks default_internal_user_params default_team_settings drop_params
    enable_json_schema_validation failure_callback fallbacks force_ipv4 guardrails input_callback json_logs
    key_generation_settings langfuse_default_tags max_budget max_internal_user_budget mcp_aliases modify_params num_retries
    num_retries_per_request post_call_rules pre_call_rules presidio_logging_only public_routes redact_user_api_key_info
    request_timeout retry_policy service_callback set_verbose ssl_verify success_callback telemetry turn_off_message_logging
    upperbound_key_generate_params`),
  router_settings: names(`
    allowed_fails allowed_fails_policy cache_responses client_ttl content_policy_fallbacks context_window_fallbacks cooldown_time
    default_fallbacks default_litellm_params default_max_parallel_requests default_priority disable_cooldowns
    enable_pre_call_checks enable_tag_filtering fallbacks max_fallbacks model_group_alias model_group_retry_policy num_retries
    polling_interval provider_budget_config redis_db redis_host redis_password redis_port redis_url retry_after retry_policy
    routing_strategy routing_strategy_args set_verbose stream_timeout tag_filtering_match_any timeout`),
};

/**
 * Returns a question whether another member of this section was meant; empty if LiteLLM reads this member, or no name is similar.
 */
export const suggestMember = (section: Section, name: string): string => {
  const known = members[section];
  return known.includes(name) ? '' : suggestName(name, known, '');
};

/** Returns the written member that is probably a misspelling of `meant`; undefined if there is none. */
export const findMisspelt = (section: Section, meant: string, written: readonly string[]): string | undefined =>
  written.find((name) => !members[section].includes(name) && closestName(name, members[section]) === meant);
