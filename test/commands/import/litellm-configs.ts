/** Files like those in public repositories, and for each what does not carry over, in the order of the lines. */
export const litellmConfigs: readonly (readonly [what: string, text: string, notes: readonly string[]])[] = [
  [
    'a list of models with keys in the environment',
    `model_list:
  - model_name: gpt
    litellm_params: { model: openai/gpt-5.4-mini, api_key: os.environ/OPENAI_API_KEY, temperature: 0.2 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-5-5, api_key: sk-ant-literal-secret }
  - model_name: local
    litellm_params: { model: ollama/llama3, api_base: "http://localhost:11434" }
`,
    ['"temperature" of "gpt" is a default in LiteLLM'],
  ],
  [
    'deployments of Azure with shares, fallbacks and a router',
    `model_list:
  - model_name: gpt
    litellm_params: &azure { model: azure/gpt-eu, api_base: "https://company-eu.openai.azure.com/", api_key: os.environ/AZURE_KEY, api_version: "2024-10-21", rpm: 60 }
  - model_name: gpt
    litellm_params: { <<: *azure, api_base: "https://company-us.openai.azure.com/", rpm: 20 }
  - model_name: backup
    litellm_params: { model: claude-sonnet-5-5 }
router_settings:
  routing_strategy: simple-shuffle
  num_retries: 7
  timeout: 30
  allowed_fails: 3
  cooldown_time: 10
  fallbacks: [{ gpt: [backup, lost] }]
  model_group_alias: { gpt-4: gpt, none: nothing }
`,
    [
      'Requests and tokens a minute',
      'Requests and tokens a minute',
      'at most 5 times',
      'at least 30 seconds',
      'The fallback "lost" of "gpt"',
      'The alias "none"',
    ],
  ],
  [
    'settings of a server with a master key, callbacks and a cache',
    `model_list:
  - model_name: fast
    litellm_params: { model: groq/openai/gpt-oss-120b, api_key: os.environ/GROQ_API_KEY }
    model_info: { mode: chat }
litellm_settings:
  drop_params: true
  success_callback: ["langfuse"]
  cache: true
  cache_params: { type: redis, ttl: 600 }
  request_timeout: 60
general_settings:
  master_key: sk-1234-literal-secret
  database_url: "postgresql://user:pass-literal-secret@db/litellm"
`,
    ['"drop_params" is always on here', 'Receivers of logs', 'The cache is in memory', 'Records of the other gateway'],
  ],
  [
    'callbacks and guardrails that are settings here',
    `model_list:
  - model_name: gpt
    litellm_params: { model: openai/gpt-5.4-mini, api_key: os.environ/OPENAI_API_KEY }
litellm_settings:
  callbacks: [otel, presidio, prometheus]
  success_callback: langfuse
  failure_callback: [otel]
guardrails:
  - { guardrail_name: pii, litellm_params: { guardrail: presidio, mode: pre_call } }
  - { guardrail_name: other, litellm_params: { guardrail: lakera, mode: pre_call } }
`,
    [
      'default.pii does this, without Presidio. Write',
      'Names of people and places: the guardrail "pii"',
      'The guardrail "pii" checks nothing now: in the other gateway requests name it',
      'The guardrail "other" (lakera) checks nothing now. Write its counterpart lakera.guard',
      'Write "telemetry"',
      'Write "metrics"',
      'Write them under "log"',
      'Write "telemetry"',
    ],
  ],
  [
    'wildcards, and a provider that is not here',
    `model_list:
  - model_name: "*"
    litellm_params: { model: "openai/*", api_key: os.environ/OPENAI_API_KEY }
  - model_name: endpoint
    litellm_params: { model: clarifai/my-endpoint }
  - model_name: mini
    litellm_params: { model: gpt-5.4-mini, stream_timeout: 5, mock_response: hi }
`,
    [
      'No provider here corresponds to LiteLLM\'s "clarifai". ("clarifai/my-endpoint")',
      'A stream has the time-out',
      '"mock_response" has no counterpart',
    ],
  ],
  [
    'clouds, and a balance by latency',
    `model_list:
  - model_name: claude
    litellm_params: { model: bedrock/anthropic.claude-3, aws_access_key_id: os.environ/AWS_ACCESS_KEY_ID, aws_secret_access_key: literal-secret-key, aws_region_name: eu-west-1 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-5-5, api_key: os.environ/ANTHROPIC_API_KEY }
litellm_settings:
  num_retries: 2
  fallbacks: [{ "*": [claude] }]
router_settings: { routing_strategy: latency-based-routing, redis_host: os.environ/REDIS_HOST }
environment_variables: { A: b }
`,
    [
      'Counters that several gateways share',
      'The balance "latency" of "claude" does not notice a target that fails: another target answers its requests',
      'Variables are set in the environment of the gateway, not in its files.',
    ],
  ],
];
