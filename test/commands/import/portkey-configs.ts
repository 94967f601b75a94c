/** Configs in Portkey's original format, and for each what does not carry over: parts of the notes, in the order of the lines. */
export const portkeyConfigs: readonly (readonly [what: string, config: object, notes: readonly string[]])[] = [
  [
    'one provider with a key in it',
    {
      provider: 'anthropic',
      api_key: 'sk-ant-literal-secret',
      override_params: { model: 'claude-sonnet-5-5', max_tokens: 300 },
    },
    [],
  ],
  [
    'a fallback of saved providers on some statuses',
    {
      strategy: { mode: 'fallback', on_status_codes: [429, 503] },
      targets: [
        { provider: '@openai-prod' },
        { provider: '@anthropic-prod', override_params: { model: 'claude-sonnet-5-5' } },
      ],
    },
    [
      'In Portkey, a provider that cannot be reached has the status 500 or 503. Here it has 502, which is not in the list. Add 502',
      '"openai-prod" is saved in the other gateway',
      '"anthropic-prod" is saved in the other gateway',
    ],
  ],
  [
    'names in camel case, and the other spelling of a mode',
    {
      strategy: { mode: 'load-balance' },
      requestTimeout: 5000,
      targets: [
        {
          provider: 'openai',
          apiKey: 'sk-one-literal',
          overrideParams: { model: 'gpt-5.4-mini', maxTokens: 3 },
          weight: 0.7,
        },
        { provider: 'groq', apiKey: 'gsk-two-literal', weight: 0.3 },
      ],
    },
    [],
  ],
  [
    'virtual keys, a cache and retries',
    {
      virtual_key: 'azure-prod-81ff',
      cache: { mode: 'simple', max_age: 600 },
      retry: { attempts: 3, on_status_codes: [429] },
    },
    [
      'The gateway file saves it as azure-openai',
      'resource_name is missing. (config.virtual_key) Write it under "settings"',
      'In Portkey, a failed connection is retried whatever the list says. Here it has the status 502, which is not in the list.',
    ],
  ],
  [
    'conditions on metadata and parameters',
    {
      strategy: {
        mode: 'conditional',
        conditions: [
          { query: { 'metadata.user_plan': { $eq: 'paid' } }, then: 'best' },
          { query: { 'params.temperature': { $gte: 0.7 } }, then: 'best' },
        ],
        default: 'cheap',
      },
      targets: [
        { name: 'best', virtual_key: 'openai-paid' },
        { name: 'cheap', virtual_key: 'groq-free' },
      ],
    },
    ['"openai-paid"', '"groq-free"'],
  ],
  [
    'models of saved providers',
    {
      strategy: { mode: 'fallback' },
      targets: [
        { override_params: { model: '@openai-prod/gpt-5.4-mini' } },
        { override_params: { model: '@team/claude-sonnet-5-5' } },
      ],
    },
    ['saves it as openai', 'saves it as anthropic'],
  ],
  [
    'settings of clouds',
    {
      strategy: { mode: 'fallback' },
      targets: [
        {
          provider: 'azure-openai',
          api_key: '{{AZURE_KEY}}',
          azure_resource_name: 'company',
          azure_deployment_id: 'gpt',
          azure_api_version: '2024-10-21',
        },
        {
          provider: 'bedrock',
          aws_access_key_id: 'AKIALITERALSECRET',
          aws_secret_access_key: 'literal-secret-value',
          aws_region: 'eu-west-1',
          override_params: { model: 'a' },
        },
      ],
    },
    [],
  ],
  [
    'saved prompts and guardrails, which are in its store',
    {
      strategy: { mode: 'fallback' },
      input_guardrails: ['guard-1'],
      targets: [
        { prompt_id: 'pp-one' },
        { provider: 'openai', api_key: 'sk-literal-three', output_guardrails: ['guard-2'] },
      ],
    },
    ['guard-1', 'guard-2', 'The prompt "pp-one" of this target is in the store of the other gateway.'],
  ],
  [
    'a circuit breaker by percentage, and a pass-through target',
    {
      strategy: {
        mode: 'fallback',
        cb_config: { failure_threshold_percentage: 20, minimum_requests: 10, cooldown_interval: 60000 },
      },
      targets: [
        { passthrough: true, provider: 'openai', api_key: 'sk-literal-four' },
        { provider: 'groq', api_key: 'sk-literal-five' },
      ],
    },
    ['at a number of failures', 'A target that takes the provider of the request'],
  ],
  [
    'other spellings, and checks that are turned off',
    {
      virtualKey: 'openai-other',
      cache: 'simple',
      retry: { attempts: 1, use_retry_after_header: true },
      before_request_hooks: [
        {
          id: 'words',
          sequential: false,
          checks: [
            { id: 'default.regexMatch', is_enabled: true, parameters: { rule: 'a+' } },
            { id: 'vendor.unknown', is_enabled: false },
          ],
        },
      ],
    },
    ['"openai-other"'],
  ],
  [
    'checks with credentials, and an address of its own',
    {
      provider: 'openai',
      api_key: '${OPENAI_KEY}',
      custom_host: 'https://models.example.com/v1',
      forward_headers: ['x-team'],
      before_request_hooks: [
        {
          type: 'guardrail',
          id: 'words',
          checks: [{ id: 'default.regexMatch', parameters: { rule: 'a+' } }],
          deny: true,
          credentials: { apiKey: 'guard-literal-secret' },
        },
      ],
    },
    ['credentials'],
  ],
];
