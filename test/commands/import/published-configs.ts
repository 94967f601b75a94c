/** A configuration that its owner published, reduced to its members, with the expected result of its import. */
interface PublishedConfig {
  readonly kind: 'portkey' | 'litellm';
  /** Its file, relative to `published/` and the folder of its kind. */
  readonly file: string;
  /** The repository and path that it comes from, or the title of its source. */
  readonly source: string;
  /** What does not carry over: the member in the file, and the reason. */
  readonly losses: readonly (readonly [place: string, why: string])[];
  /** What the compiler reports for the created configs: the code, the file and the member. */
  readonly findings: readonly (readonly [code: string, place: string])[];
}

/** Secrets in the files contain the word `literal`. They are not their owners' secrets. */
export const publishedConfigs: readonly PublishedConfig[] = [
  {
    kind: 'portkey',
    file: 'automatic-retries.json',
    source: 'Portkey-AI/docs-core: product/ai-gateway/automatic-retries.mdx',
    losses: [
      [
        '/retry/on_status_codes',
        'In Portkey, a failed connection is retried whatever the list says. Here it has the status 502, which is not in the list.',
      ],
      [
        '/virtual_key',
        '"virtual-key-xxx" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'bedrock-guardrails.json',
    source: 'Portkey-AI/docs-core: integrations/guardrails/bedrock-guardrails.mdx',
    losses: [
      [
        '/before_request_hooks/0/credentials/awsAuthType',
        '"awsAuthType" is not a setting here. (config.before_request_hooks[0].checks[0].parameters.credentials.awsAuthType)',
      ],
      [
        '/before_request_hooks/0/credentials/awsRoleArn',
        '"awsRoleArn" is not a setting here. (config.before_request_hooks[0].checks[0].parameters.credentials.awsRoleArn)',
      ],
      [
        '/before_request_hooks/0/credentials/awsExternalId',
        '"awsExternalId" is not a setting here. (config.before_request_hooks[0].checks[0].parameters.credentials.awsExternalId)',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'circuit-breaker.json',
    source: 'Portkey-AI/docs-core: product/ai-gateway/circuit-breaker.mdx',
    losses: [
      [
        '/strategy/cb_config/failure_threshold_percentage',
        'A circuit opens at a number of failures, not at a percentage.',
      ],
      [
        '/targets/0/virtual_key',
        '"virtual-key-1" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/virtual_key',
        '"virtual-key-2" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'combined-strategies.json',
    source: 'Portkey-AI/docs-core: guides/use-cases/combining-routing-strategies.mdx',
    losses: [
      [
        '/targets/0/targets/0/override_params/model',
        '"anthropic" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/0/targets/1/override_params/model',
        '"vertex" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/0/targets/1/override_params/model',
        'The provider "vertex-ai" cannot be called as configured: cloudb_region is missing. (config.targets[0].targets[1].override_params.model)',
      ],
      [
        '/targets/0/targets/2/override_params/model',
        '"bedrock" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/override_params/model',
        '"openai" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/2/targets/0/override_params/model',
        '"azure" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/2/targets/0/override_params/model',
        'The provider "azure-openai" cannot be called as configured: resource_name is missing. (config.targets[2].targets[0].override_params.model)',
      ],
      [
        '/targets/2/targets/1/override_params/model',
        '"openai-1" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/2/targets/2/override_params/model',
        '"openai-2" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/3/targets/0/targets/0/override_params/model',
        'The provider "vertex-ai" cannot be called as configured: cloudb_region is missing. (config.targets[3].targets[0].targets[0].override_params.model)',
      ],
      [
        '/targets/3/targets/0/targets/1/override_params/model',
        '"google-1" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/3/targets/0/targets/2/override_params/model',
        '"google-2" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [
      ['missing-base-url', 'combined-strategies.json/targets/0/targets/1/override_params/model'],
      ['missing-base-url', 'combined-strategies.json/targets/2/targets/0/override_params/model'],
      ['missing-base-url', 'combined-strategies.json/targets/3/targets/0/targets/0/override_params/model'],
    ],
  },
  {
    kind: 'portkey',
    file: 'conditional-routing.json',
    source: 'Portkey-AI/docs-core: product/ai-gateway/conditional-routing.mdx',
    losses: [
      [
        '/targets/0/provider',
        '"openai-xx" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/provider',
        '"openai-yy" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/2/provider',
        '"openai-zz" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'forward-headers.json',
    source: 'Portkey-AI/docs-core: integrations/libraries/claude-code-anthropic.mdx',
    losses: [
      [
        '/targets/0/provider',
        '"anthropic-prod" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/provider',
        '"bedrock-prod" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'guardrail-fallback.json',
    source: 'Portkey-AI/docs-core: product/guardrails.mdx',
    losses: [
      ['/input_guardrails/0', 'No guardrail is saved as "guardrails-id-xxx". (config.input_guardrails[0])'],
      [
        '/targets/0/virtual_key',
        '"openai-key-xxx" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/virtual_key',
        '"anthropic-key-xxx" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [
      ['impossible-status', 'guardrail-fallback.json/strategy/on_status_codes/0'],
      ['impossible-status', 'guardrail-fallback.json/strategy/on_status_codes/1'],
    ],
  },
  {
    kind: 'portkey',
    file: 'guardrails.json',
    source: 'Portkey-AI/docs-core: product/guardrails.mdx',
    losses: [
      [
        '/before_request_hooks/0/id',
        'No guardrail is saved as "input-guardrail-id-xx". (config.before_request_hooks[0].id)',
      ],
      [
        '/after_request_hooks/0/id',
        'No guardrail is saved as "output-guardrail-id-xx". (config.after_request_hooks[0].id)',
      ],
      [
        '/virtual_key',
        '"openai-xxx" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'inline-checks.json',
    source: 'Portkey-AI/gateway: tests/integration/src/handlers/tryPost.test.ts',
    losses: [
      [
        '/retry/on_status_codes',
        'In Portkey, a failed connection is retried whatever the list says. Here it has the status 502, which is not in the list.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'private-model.json',
    source: 'Portkey-AI/docs-core: integrations/llms/byollm.mdx',
    losses: [],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'prompt-test.json',
    source: 'Portkey-AI/docs-core: guides/getting-started/a-b-test-prompts-and-models.mdx',
    losses: [
      [
        '/targets/0/targets/0/prompt_id',
        'The prompt "0db0d89c-c1f6-44bc-a976-f92e24b39a19" of this target is in the store of the other gateway.',
      ],
      [
        '/targets/0/targets/1/prompt_id',
        'The prompt "pp-blog-outli-840877" of this target is in the store of the other gateway.',
      ],
      [
        '/targets/1/prompt_id',
        'The prompt "pp-blog-outli-840877" of this target is in the store of the other gateway.',
      ],
    ],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'request-timeouts.json',
    source: 'Portkey-AI/docs-core: product/ai-gateway/request-timeouts.mdx',
    losses: [
      [
        '/targets/0/targets/0/virtual_key',
        '"open-ai-1-1" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/0/targets/1/virtual_key',
        '"open-ai-1-2" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/virtual_key',
        '"azure-open-ai-1" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/virtual_key',
        'The provider "azure-openai" cannot be called as configured: resource_name is missing. (config.targets[1].virtual_key)',
      ],
    ],
    findings: [['missing-base-url', 'request-timeouts.json/targets/1/virtual_key']],
  },
  {
    kind: 'portkey',
    file: 'sdk-balance.json',
    source:
      'Portkey-AI/portkey-python-sdk: tests/configs/chat_completions/loadbalance_and_fallback/azure_n_openai.json',
    losses: [
      [
        '/targets/0/virtual_key',
        '"openai-virtual-key" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/targets/0/virtual_key',
        '"azure-virtual-key" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      [
        '/targets/1/targets/0/virtual_key',
        'The provider "azure-openai" cannot be called as configured: resource_name is missing. (config.targets[1].targets[0].virtual_key)',
      ],
    ],
    findings: [
      ['success-status', 'sdk-balance.json/targets/1/strategy/on_status_codes/1'],
      ['missing-base-url', 'sdk-balance.json/targets/1/targets/0/virtual_key'],
    ],
  },
  {
    kind: 'portkey',
    file: 'service-account.json',
    source: 'a script with the title "Portkey + Zscaler AI Guard — Google Vertex AI test"',
    losses: [],
    findings: [],
  },
  {
    kind: 'portkey',
    file: 'shadow-tests.json',
    source: 'guglxni/portkey-ai-shadow-optic: configs/shadow-config.json',
    losses: [
      ['/description', '"description" is not a setting here. (config.description)'],
      ['/version', '"version" is not a setting here. (config.version)'],
      ['/targets/0/virtual_model', '"virtual_model" is not a setting here. (config.targets[0].virtual_model)'],
      [
        '/targets/0/override_params/model',
        '"openai" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      ['/targets/1/virtual_model', '"virtual_model" is not a setting here. (config.targets[1].virtual_model)'],
      [
        '/targets/1/override_params/model',
        '"anthropic" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      ['/targets/2/virtual_model', '"virtual_model" is not a setting here. (config.targets[2].virtual_model)'],
      [
        '/targets/2/override_params/model',
        '"google" is saved in the other gateway, but its provider and credential are not in this file.',
      ],
      ['/metadata', '"metadata" is not a setting here. (config.metadata)'],
      ['/hooks', '"hooks" is not a setting here. (config.hooks)'],
      ['/rate_limiting', '"rate_limiting" is not a setting here. (config.rate_limiting)'],
      ['/budget', '"budget" is not a setting here. (config.budget)'],
      ['/fallback', '"fallback" is not a setting here. (config.fallback)'],
    ],
    findings: [
      ['no-effect', 'shadow-testing.json/strategy/on_status_codes'],
      ['capability-gap', 'shadow-testing.json/targets/0/override_params/model'],
      // The provider calls it claude-haiku-4-5.
      ['misspelt-model', 'shadow-testing.json/targets/1/override_params/model'],
    ],
  },
  {
    kind: 'litellm',
    file: 'bedrock.yaml',
    source: 'ClickHouse/agentic-data-stack: litellm-config.yaml',
    losses: [
      [
        '/model_list/0/litellm_params/model',
        'LiteLLM calls Bedrock in the region of the variable AWS_REGION_NAME if a deployment specifies none. Here it is us-east-1.',
      ],
      [
        '/model_list/0/litellm_params/temperature',
        '"temperature" and "max_tokens" of "bedrock-claude" are defaults in LiteLLM, where the request takes precedence. Here "override_params" takes precedence.',
      ],
      [
        '/model_list/0/model_info',
        'Prices are in the gateway file, and these cannot be written there as they are: pricing.',
      ],
      [
        '/model_list/1/litellm_params/model',
        'LiteLLM calls Bedrock in the region of the variable AWS_REGION_NAME if a deployment specifies none. Here it is us-east-1.',
      ],
      [
        '/model_list/1/litellm_params/temperature',
        '"temperature" and "max_tokens" of "bedrock-claude-haiku" are defaults in LiteLLM, where the request takes precedence. Here "override_params" takes precedence.',
      ],
      [
        '/model_list/1/model_info',
        'Prices are in the gateway file, and these cannot be written there as they are: pricing.',
      ],
      ['/router_settings/enable_load_balancing', '"enable_load_balancing" of router_settings has no counterpart.'],
      ['/router_settings/enable_cooldowns', '"enable_cooldowns" of router_settings has no counterpart.'],
      ['/general_settings/log_verbose', '"log_verbose" of general_settings has no counterpart.'],
      ['/general_settings/log_level', '"log_level" of general_settings has no counterpart.'],
      ['/general_settings/enable_cors', '"enable_cors" of general_settings has no counterpart.'],
      ['/general_settings/cors_allow_origins', '"cors_allow_origins" of general_settings has no counterpart.'],
      ['/general_settings/use_langfuse', '"use_langfuse" of general_settings has no counterpart.'],
      [
        '/general_settings/disable_request_timeout',
        '"disable_request_timeout" of general_settings has no counterpart.',
      ],
      ['/health_check', '"health_check" has no counterpart.'],
    ],
    findings: [],
  },
  {
    kind: 'litellm',
    file: 'budget-and-local.yaml',
    source: 'BHQUAN97/Orchestrator-AI: litellm_config.yaml',
    losses: [
      [
        '/model_list/0/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      [
        '/model_list/1/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      [
        '/model_list/2/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      [
        '/model_list/3/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      [
        '/model_list/4/litellm_params/api_base',
        '"api_base" is in the variable LMSTUDIO_URL, but only secrets can be references here. ("openai/qwen2.5-coder-7b-instruct")',
      ],
      [
        '/model_list/4/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      [
        '/router_settings/enable_pre_call_checks',
        'A target that cannot serve a prompt is skipped if a strategy requires it.',
      ],
      ['/router_settings/retry_after', 'The wait before a further attempt grows by itself.'],
      ['/general_settings/max_budget', 'Budgets are policies of a store.'],
      ['/litellm_settings/success_callback', 'Receivers of logs are in the gateway file.'],
      ['/litellm_settings/failure_callback', 'Receivers of logs are in the gateway file.'],
    ],
    findings: [],
  },
  {
    kind: 'litellm',
    file: 'fallbacks.yaml',
    source: 'CIRISAI/CIRISProxy: litellm_config.yaml',
    losses: [
      [
        '/model_list/4/litellm_params/max_tokens',
        '"max_tokens" of "gpt-oss-20b" is a default in LiteLLM, where the request takes precedence. Here "override_params" takes precedence.',
      ],
      [
        '/litellm_settings/callbacks',
        'Code of the other gateway does not run here (billing_callback.billing_callback_instance).',
      ],
      [
        '/litellm_settings/success_callback',
        'Code of the other gateway does not run here (billing_callback.billing_callback_instance).',
      ],
      [
        '/litellm_settings/failure_callback',
        'Code of the other gateway does not run here (billing_callback.billing_callback_instance).',
      ],
      [
        '/litellm_settings/drop_params',
        '"drop_params" is always on here: parameters that a provider does not know are omitted in translation.',
      ],
      ['/litellm_settings/set_verbose', 'What is printed is set when the gateway starts.'],
      ['/router_settings/retry_after', 'The wait before a further attempt grows by itself.'],
      ['/general_settings/custom_auth', 'Code of the other gateway does not run here.'],
    ],
    findings: [],
  },
  {
    kind: 'litellm',
    file: 'free-models.yaml',
    source: 'Abbiirr/unified-llm-api: litellm_config.yaml',
    losses: [
      [
        '/model_list',
        'A retry calls the same target of "default" again, not another one of its 8 targets: a config in which each target comes before the others would have 64.',
      ],
      [
        '/model_list/6',
        'The provider "workers-ai" cannot be called as configured: workers_ai_account_id is missing. (config.targets[6].provider)',
      ],
      [
        '/model_list/8/litellm_params/api_base',
        '"api_base" is in the variable OLLAMA_API_BASE, but only secrets can be references here. ("ollama/lightrag:latest")',
      ],
      ['/model_list/8/litellm_params/stream_timeout', 'A stream has the time-out of its target.'],
      ['/router_settings/num_retries', 'A target is retried at most 5 times.'],
      ['/router_settings/retry_after', 'The wait before a further attempt grows by itself.'],
      ['/router_settings/cooldown_time', 'A circuit stays open for at least 30 seconds.'],
      ['/router_settings/stream_timeout', 'A stream has the time-out of its target.'],
      ['/router_settings/cache_responses', 'A cache is in a config.'],
      [
        '/router_settings/enable_pre_call_checks',
        'A target that cannot serve a prompt is skipped if a strategy requires it.',
      ],
      ['/general_settings/json_logs', 'What is printed is set when the gateway starts.'],
      [
        '/litellm_settings/drop_params',
        '"drop_params" is always on here: parameters that a provider does not know are omitted in translation.',
      ],
      ['/litellm_settings/set_verbose', 'What is printed is set when the gateway starts.'],
      ['/litellm_settings/cache_params/type', 'The cache is in memory, not in redis.'],
    ],
    findings: [
      ['missing-base-url', 'default.json/targets/6/provider'],
      ['capability-gap', 'default.json/targets/7/override_params/model'],
    ],
  },
  {
    kind: 'litellm',
    file: 'proxy-server.yaml',
    source: 'BerriAI/litellm: proxy_server_config.yaml',
    losses: [
      ['/model_list/0/litellm_params/region_name', '"region_name" has no counterpart in a target.'],
      [
        '/model_list/3/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      ['/model_list/3/litellm_params/stream_timeout', 'A stream has the time-out of its target.'],
      ['/model_list/4/litellm_params/input_cost_per_second', 'Prices are in the gateway file.'],
      [
        '/model_list/5/model_info/base_model',
        'Costs are found by the model that answers report, whatever the name of the deployment.',
      ],
      ['/model_list/6/litellm_params/model', 'This is not a provider and one of its models. ("azure/")'],
      ['/model_list/8/litellm_params/stream_timeout', 'A stream has the time-out of its target.'],
      [
        '/model_list/8/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      ['/model_list/9/litellm_params/stream_timeout', 'A stream has the time-out of its target.'],
      [
        '/model_list/9/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      ['/model_list/10/litellm_params/mock_timeout', '"mock_timeout" has no counterpart in a target.'],
      [
        '/model_list/10/litellm_params/rpm',
        'Requests and tokens a minute are limited by policies of a store, not by a target.',
      ],
      ['/model_list/10/model_info', 'Facts of models are in the gateway file (health_check_timeout).'],
      [
        '/model_list/11',
        'A model that does not begin with a provider finds none here, because the file has other names with a star as well.',
      ],
      [
        '/litellm_settings/drop_params',
        '"drop_params" is always on here: parameters that a provider does not know are omitted in translation.',
      ],
      ['/litellm_settings/telemetry', 'The gateway sends its vendor nothing.'],
      [
        '/litellm_settings/context_window_fallbacks',
        'A fallback for prompts that are too long is chosen before the request.',
      ],
      ['/litellm_settings/default_team_settings', 'Settings of teams are those of workspaces in a store.'],
      ['/finetune_settings', '"finetune_settings" has no counterpart.'],
      ['/files_settings', '"files_settings" has no counterpart.'],
      [
        '/router_settings/routing_strategy',
        'The balance "headroom" of "gpt-3.5-turbo-end-user-test" does not notice a target that fails: another target answers its requests, and they count as its own.',
      ],
      ['/router_settings/redis_host', 'Counters that several gateways share are in the gateway file.'],
      ['/router_settings/redis_password', 'Counters that several gateways share are in the gateway file.'],
      ['/router_settings/redis_port', 'Counters that several gateways share are in the gateway file.'],
      [
        '/router_settings/enable_pre_call_checks',
        'A target that cannot serve a prompt is skipped if a strategy requires it.',
      ],
      ['/general_settings/store_model_in_db', 'Configs can be in a store.'],
      [
        '/general_settings/proxy_budget_rescheduler_min_time',
        '"proxy_budget_rescheduler_min_time" of general_settings has no counterpart.',
      ],
      ['/general_settings/proxy_batch_write_at', '"proxy_batch_write_at" of general_settings has no counterpart.'],
      [
        '/general_settings/database_connection_pool_limit',
        '"database_connection_pool_limit" of general_settings has no counterpart.',
      ],
      ['/general_settings/pass_through_endpoints', 'Paths of providers are passed through without being listed.'],
    ],
    findings: [
      ['missing-version', 'bad-model.json/custom_host'],
      ['missing-version', 'fake-openai-endpoint-3.json/targets/0/targets/0/custom_host'],
      ['missing-version', 'fake-openai-endpoint-3.json/targets/0/targets/1/custom_host'],
      ['missing-version', 'fake-openai-endpoint-3.json/targets/1/targets/0/custom_host'],
      ['missing-version', 'fake-openai-endpoint-3.json/targets/1/targets/1/custom_host'],
    ],
  },
  {
    kind: 'litellm',
    file: 'tags-and-guardrails.yaml',
    source: 'BerriAI/litellm: litellm/proxy/example_config_yaml/otel_test_config.yaml',
    losses: [
      ['/guardrails/0', 'The guardrail "aporia-pre-guard" (aporia) checks nothing now.'],
      ['/guardrails/1', 'The guardrail "bedrock-pre-guard" (bedrock) checks nothing now.'],
      ['/model_list/0/litellm_params/tags', 'A target is not chosen by tags of the request.'],
      ['/model_list/1/litellm_params/tags', 'A target is not chosen by tags of the request.'],
      ['/model_list/3/model_info', 'Facts of models are in the gateway file (supports_vision).'],
      ['/litellm_settings/callbacks', 'Traces and metrics are sent by OpenTelemetry, as the gateway file specifies.'],
    ],
    findings: [
      ['missing-version', 'fake-openai-endpoint.json/custom_host'],
      ['missing-version', 'llava-hf.json/custom_host'],
    ],
  },
  {
    kind: 'litellm',
    file: 'vertex-and-media.yaml',
    source: 'Causal-Insights/ai-gateway: litellm_config.yaml',
    losses: [
      [
        '/model_list/0/litellm_params/api_base',
        '"api_base" is in the variable MLX_VLM_API_BASE, but only secrets can be references here. ("openai/mlx-community/gemma-4-31b-it-8bit")',
      ],
      [
        '/model_list/1/litellm_params/reasoning_effort',
        '"reasoning_effort" of "gpt-5.5-thinking" is a default in LiteLLM, where the request takes precedence. Here "override_params" takes precedence.',
      ],
      [
        '/model_list/3/litellm_params/vertex_project',
        '"vertex_project" is in the variable GOOGLE_CLOUD_PROJECT, but only secrets can be references here. ("vertex_ai/gemini-3.1-pro-preview")',
      ],
      [
        '/model_list/3/litellm_params/vertex_location',
        '"vertex_location" is in the variable GOOGLE_CLOUD_LOCATION, but only secrets can be references here. ("vertex_ai/gemini-3.1-pro-preview")',
      ],
      [
        '/model_list/4/litellm_params/vertex_project',
        '"vertex_project" is in the variable GOOGLE_CLOUD_PROJECT, but only secrets can be references here. ("vertex_ai/imagen-4.0-generate-001")',
      ],
      [
        '/model_list/4/litellm_params/vertex_location',
        '"vertex_location" is in the variable GOOGLE_CLOUD_LOCATION, but only secrets can be references here. ("vertex_ai/imagen-4.0-generate-001")',
      ],
      [
        '/model_list/5/litellm_params/model',
        'No provider here corresponds to LiteLLM\'s "grok-video". ("grok-video/grok-2-video-generation")',
      ],
      [
        '/model_list/7/litellm_params/model',
        'No provider here corresponds to LiteLLM\'s "elevenlabs". ("elevenlabs/eleven_multilingual_v2")',
      ],
      ['/general_settings/database_url', 'Records of the other gateway are not read.'],
      [
        '/litellm_settings/drop_params',
        '"drop_params" is always on here: parameters that a provider does not know are omitted in translation.',
      ],
      ['/litellm_settings/custom_provider_map', 'Code of the other gateway does not run here.'],
    ],
    findings: [],
  },
];
