import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { deployment, imported, parsed } from './support.ts';

describe('gw import litellm', () => {
  it('calls deployments of a lower order before those of a higher order', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('gpt', { model: 'openai/spare', order: 2 }),
        deployment('gpt', { model: 'openai/one', order: 1, weight: 3 }),
        deployment('gpt', { model: 'openai/two', order: 1, weight: 1 }),
      ],
    });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      strategy: { mode: 'fallback' },
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          targets: [
            { override_params: { model: 'one' }, weight: 3 },
            { override_params: { model: 'two' }, weight: 1 },
          ],
        },
        { override_params: { model: 'spare' } },
      ],
    });
    expect(made.losses).toEqual([]);
  });

  it.each([
    ['api_base', 'openai/own'],
    ['base_url', 'openai/own'],
    ['vertex_location', 'vertex_ai/gemini-3-pro'],
    ['aws_region_name', 'bedrock/nova'],
  ])('sends no requests elsewhere if %s is in a variable', async (member, model) => {
    const made = await imported('litellm', {
      model_list: [
        deployment('own', { model, [member]: 'os.environ/PLACE' }),
        deployment('other', { model: 'openai/gpt-5.5' }),
      ],
      litellm_settings: { default_fallbacks: ['other'] },
    });
    expect(Object.keys(made.files)).toEqual(['gateway.json', 'configs/other.json', '.env.example']);
    expect(made.losses).toEqual([
      expect.objectContaining({
        place: `/model_list/0/litellm_params/${member}`,
        why: expect.stringContaining('is in the variable PLACE'),
      }),
    ]);
  });

  it.each(['https://user:literal@models.example.com/v1', 'https://models.example.com/v1?key=literal', 'models'])(
    'sends no requests elsewhere if the address is rejected: %s',
    async (api_base) => {
      const made = await imported('litellm', {
        model_list: [
          deployment('gpt', { model: 'openai/private', api_base }),
          deployment('gpt', { model: 'openai/one' }),
          deployment('gpt', { model: 'azure/two' }),
          deployment('alone', { model: 'openai/private', api_base }),
        ],
      });
      expect(Object.values(made.files).join('')).not.toContain('private');
      expect(JSON.stringify(made)).not.toContain('literal');
      // The places of the later losses are still those in the original file.
      expect(made.losses.map(({ place }) => place)).toEqual([
        ...['/model_list/0', '/model_list/2', '/model_list/3'].map((at) => expect.stringContaining(at)),
      ]);
    },
  );

  it('reports members of the wrong type, and leaves out models without a name', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('a', { model: 'openai/one', weight: '2', timeout: '30', max_tokens: 'os.environ/MOST' }),
        deployment('', { model: 'openai/two' }),
      ],
      router_settings: { num_retries: 0, timeout: 0 },
    });
    expect(parsed(made, 'configs/a.json')).toEqual({
      ...{ provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'one' } },
    });
    const at = '/model_list/0/litellm_params';
    expect(made.losses.map(({ place }) => place)).toEqual(
      expect.arrayContaining([`${at}/weight`, `${at}/timeout`, `${at}/max_tokens`, '/model_list/1']),
    );
  });

  it.each([
    ['bedrock/converse/anthropic.claude', { api_base: 'https://vpce.example.com' }],
    ['bedrock/anthropic.claude', { aws_bedrock_runtime_endpoint: 'https://vpce.example.com' }],
  ])('calls %s at its own endpoint with the plain model name', async (model, more) => {
    const made = await imported('litellm', { model_list: [deployment('a', { model, ...more })] });
    expect(parsed(made, 'configs/a.json')).toMatchObject({
      custom_host: 'https://vpce.example.com',
      override_params: { model: 'anthropic.claude' },
    });
  });

  it.each([
    ['azure/o_series/mine', { deployment_id: 'mine', override_params: { model: 'mine' } }],
    ['azure/gpt5_series/mine', { deployment_id: 'mine', override_params: { model: 'mine' } }],
    ['azure_ai/model_router/mine', { override_params: { model: 'mine' } }],
    [
      'bedrock/eu-west-1/anthropic.claude',
      { cloudc_region: 'eu-west-1', override_params: { model: 'anthropic.claude' } },
    ],
    [
      'bedrock/converse/arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.amazon.nova',
      {
        cloudc_region: 'eu-west-1',
        override_params: { model: 'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.amazon.nova' },
      },
    ],
  ])('uses the deployment or region in the name of %s', async (model, target) => {
    const made = await imported('litellm', {
      model_list: [deployment('a', { model, api_base: model.startsWith('azure') ? 'https://own.example' : null })],
    });
    expect(parsed(made, 'configs/a.json')).toMatchObject(target);
  });

  it('uses the region and project from the variables in the file, and notes if there is none', async () => {
    const model_list = [
      deployment('a', { model: 'bedrock/nova' }),
      deployment('b', { model: 'bedrock/eu-west-1/nova' }),
      deployment('c', { model: 'vertex_ai/gemini-3-pro', vertex_credentials: '/run/account.json' }),
    ];
    const places = { AWS_REGION_NAME: 'eu-north-1', VERTEXAI_PROJECT: 'mine', VERTEXAI_LOCATION: 'europe-west4' };
    const made = await imported('litellm', { model_list, environment_variables: places });
    expect(parsed(made, 'configs/a.json')).toMatchObject({ cloudc_region: 'eu-north-1' });
    expect(parsed(made, 'configs/b.json')).toMatchObject({ cloudc_region: 'eu-west-1' });
    expect(JSON.stringify(made.files)).toContain('europe-west4');
    const { losses } = await imported('litellm', { model_list: model_list.slice(0, 2) });
    expect(losses).toEqual([
      expect.objectContaining({
        place: '/model_list/0/litellm_params/model',
        why: expect.stringContaining('Here it is us-east-1.'),
      }),
    ]);
  });

  it('prefers the region that a deployment states to the one in the model name', async () => {
    const model_list = [deployment('a', { model: 'bedrock/eu-west-1/nova', aws_region_name: 'us-west-2' })];
    const made = await imported('litellm', { model_list });
    expect(parsed(made, 'configs/a.json')).toMatchObject({
      ...{ cloudc_region: 'us-west-2', override_params: { model: 'nova' } },
    });
  });

  it('calls the same target only once, and turns a load balance of equal targets into one target', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('a', { model: 'openai/one' }),
        deployment('a', { model: 'openai/one' }),
        deployment('b', { model: 'openai/one' }),
        deployment('c', { model: 'groq/two' }),
      ],
      router_settings: { allowed_fails: 1, cooldown_time: 60, fallbacks: [{ a: ['b', 'c'] }] },
    });
    expect(parsed(made, 'configs/a.json')).toMatchObject({
      cb_config: {
        failure_threshold: 2,
        cooldown_interval: 60_000,
        failure_status_codes: expect.arrayContaining([401, 429, 500]),
      },
      targets: [{ override_params: { model: 'one' } }, { override_params: { model: 'two' } }],
    });
    // A circuit breaker for a single target would change nothing.
    expect(parsed(made, 'configs/b.json')).not.toHaveProperty('cb_config');
  });

  it('creates no circuit breaker if the cooldown is 0, and ignores members that are null', async () => {
    const made = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/one', api_base: null }), deployment('a', { model: 'openai/two' })],
      router_settings: { cooldown_time: 0 },
      general_settings: { database_url: null },
    });
    expect(parsed(made, 'configs/a.json')).not.toHaveProperty('cb_config');
    expect(made.losses).toEqual([]);
  });

  it('saves a service account with its project and region, and reads a path as a file', async () => {
    const place = { vertex_project: 'p', vertex_location: 'europe-west1' };
    const made = await imported('litellm', {
      model_list: [
        { model_name: 'a', litellm_params: { model: 'vertex_ai/one', ...place } },
        {
          model_name: 'b',
          litellm_params: { model: 'vertex_ai/two', vertex_credentials: '/run/account.json', ...place },
        },
        {
          model_name: 'c',
          litellm_params: { model: 'vertex_ai/two', vertex_credentials: '{"private_key":"literal"}', ...place },
        },
      ],
    });
    const settings = { cloudb_project_id: 'p', cloudb_region: 'europe-west1' };
    const saved = (reference: string): object => ({
      provider: 'vertex-ai',
      credential: { cloudb_service_account_json: reference },
      settings,
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({
      providers: {
        'vertex-ai': saved('${env:GOOGLE_SERVICE_ACCOUNT_JSON}'),
        'vertex-ai-2': saved('${file:/run/account.json}'),
        'vertex-ai-3': saved('${env:VERTEX_CREDENTIALS}'),
      },
    });
    expect(parsed(made, 'configs/b.json')).toMatchObject({ provider: '@vertex-ai-2' });
    expect(JSON.stringify(made)).not.toContain('literal');
  });

  const presidio = (more: object): object => ({
    guardrail_name: 'Hide PII',
    litellm_params: { guardrail: 'presidio', mode: 'pre_call', default_on: true, ...more },
  });

  it('creates a Presidio guardrail that all configs use, with its entities and actions', async () => {
    const entities = { EMAIL_ADDRESS: 'MASK', US_SSN: 'MASK', CREDIT_CARD: 'BLOCK', PERSON: 'MASK' };
    const made = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/one' })],
      guardrails: [
        presidio({ mode: ['pre_call', 'post_call'], pii_entities_config: entities, output_parse_pii: true }),
      ],
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({
      guardrails: {
        'hide-pii': {
          'default.pii': { categories: ['email', 'national-id'], countries: ['US'], action: 'redact-reversibly' },
          deny: true,
        },
        'hide-pii-2': { 'default.pii': { categories: ['card'], action: 'block' }, deny: true },
      },
    });
    const named = ['hide-pii', 'hide-pii-2'];
    expect(parsed(made, 'configs/a.json')).toMatchObject({ input_guardrails: named, output_guardrails: named });
    expect(made.losses).toEqual([
      expect.objectContaining({ unchecked: true, why: expect.stringMatching(/^PERSON: the guardrail "Hide PII"/) }),
    ]);
  });

  it.each([
    [{ default_on: false }, 'in the other gateway requests name it'],
    [{ mode: 'pre_mcp_call' }, 'configs have none of its modes'],
  ])('saves a Presidio guardrail that no config uses, with a note: %j', async (more, why) => {
    const made = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/one' })],
      guardrails: [presidio({ pii_entities_config: { EMAIL_ADDRESS: 'MASK' }, ...more })],
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({ guardrails: { 'hide-pii': {} } });
    expect(parsed(made, 'configs/a.json')).not.toHaveProperty('input_guardrails');
    expect(made.losses).toEqual([expect.objectContaining({ unchecked: true, why: expect.stringContaining(why) })]);
  });

  it.each([
    [['openai/gone', 'openai/one'], '"gpt" calls 1 target alone, without a load balance.'],
    [['openai/gone', 'openai/one', 'openai/two'], '"gpt" calls 2 targets.'],
    [['openai/gone'], '"gpt" is not a config.'],
  ])('reports what remains of %j without the first', async (models, consequence) => {
    const made = await imported('litellm', {
      model_list: [
        ...models.map((model, index) =>
          deployment('gpt', index === 0 ? { model, api_base: 'os.environ/B' } : { model }),
        ),
        deployment('other', { model: 'openai/three' }),
      ],
    });
    expect(made.losses).toEqual([expect.objectContaining({ instead: expect.stringContaining(consequence) })]);
    expect(made.losses[0]?.instead).toContain(
      'import the file again: into another folder, or after removing this one.',
    );
  });

  it.each([
    [['gone'], 'gw: A model is left out, and clients cannot request it: "gone". '],
    [['gone', 'lost'], 'gw: 2 models are left out, and clients cannot request them: "gone", "lost". '],
  ])('exits with 1 if no config was created for %j', async (names, said) => {
    const gone = names.map((name) => deployment(name, { model: `azure/${name}`, api_version: 'os.environ/V' }));
    const model_list = [...gone, deployment('other', { model: 'openai/one' })];
    const folder = temporaryFolder({ 'source.json': { model_list } });
    const made = await runGw(folder, ['import', 'litellm', 'source.json', '--out', 'out']);
    expect(made).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    expect(made.err).toContain('Correct what the notes say, and import the file again into another folder.');
    const shown = await runGw(folder, ['import', 'litellm', 'source.json', '--format', 'json']);
    expect(shown).toMatchObject({ code: 1, err: made.err });
  });

  it('reports everything about a deployment that is left out at once', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment(
          'gone',
          {
            ...{ model: 'azure/gpt-5', api_base: 'https://a.example', api_version: 'os.environ/V', rpm: 60 },
            ...{ extra_headers: { a: 'b' }, drop_params: true, temperature: 'os.environ/T', input_cost_per_token: 1 },
            ...{ output_cost_per_token: 2, timeout: 3, max_retries: 1 },
          },
          { model_info: { mode: 'chat', access_groups: ['x'] } },
        ),
        deployment('other', { model: 'openai/one' }),
      ],
    });
    expect(made.losses.map(({ place }) => place).toSorted()).toEqual(
      [
        ...['api_version', 'drop_params', 'extra_headers', 'rpm', 'temperature'].map(
          (name) => `/model_list/0/litellm_params/${name}`,
        ),
        '/model_list/0/model_info',
      ].toSorted(),
    );
    expect(parsed(made, 'gateway.json')).not.toHaveProperty('prices');
    expect(made.files['.env.example']).toBe(
      '# Copy this file to .env, write each value, and load it: set -a; . ./.env; set +a\nKEY=replace-me\n',
    );
  });

  it('explains how to send fixed headers', async () => {
    const { losses } = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/one', extra_headers: { 'X-Team': 'a' } })],
    });
    expect(losses).toEqual([
      expect.objectContaining({
        why: expect.stringContaining('A target sends no headers of its own'),
        instead: expect.stringContaining('"forward_headers": ["NAME"]'),
      }),
    ]);
  });

  it('counts the models and targets that are left out', async () => {
    const gone = { model: 'openai/gone', api_base: 'os.environ/B' };
    const lastLine = async (...deployments: readonly object[]) => {
      const folder = temporaryFolder({ 'source.json': { model_list: deployments } });
      return (await runGw(folder, ['import', 'litellm', 'source.json'])).out.split('\n').at(-2);
    };
    const other = deployment('other', { model: 'openai/one' });
    expect(await lastLine(deployment('a', gone), deployment('b', gone), deployment('b', gone), other)).toBe(
      '1 config, 2 of 3 models and 3 targets left out, 2 notes above on what does not carry over. --out FOLDER writes the files instead of printing them.',
    );
    expect(await lastLine(deployment('other', gone), other)).toBe(
      '1 config, 1 target left out, 1 note above on what does not carry over. --out FOLDER writes the files instead of printing them.',
    );
  });

  it.each(['none', 'EMPTY', 'dummy', 'sk-no-key', 'not-needed'])(
    'treats the key "%s" of a private host as no key',
    async (api_key) => {
      const made = await imported('litellm', {
        model_list: [
          deployment('own', { model: 'hosted_vllm/one', api_base: 'http://vllm.internal:8000/v1', api_key }),
          deployment('real', {
            model: 'hosted_vllm/one',
            api_base: 'http://vllm.internal:8000/v1',
            api_key: 'abc-123',
          }),
          deployment('public', { model: 'openai/one', api_key }),
        ],
      });
      expect(parsed(made, 'configs/own.json')).not.toHaveProperty('api_key');
      expect(parsed(made, 'configs/real.json')).toHaveProperty('api_key');
      expect(parsed(made, 'configs/public.json')).toHaveProperty('api_key');
    },
  );

  it('prefixes a model name that starts with @ with its provider', async () => {
    const made = await imported('litellm', { model_list: [deployment('cf', { model: 'cloudflare/@cf/meta/llama' })] });
    expect(parsed(made, 'configs/cf.json')).toMatchObject({
      override_params: { model: '@workers-ai/@cf/meta/llama' },
    });
  });
});

describe('gw import portkey', () => {
  const target = { provider: 'openai', api_key: 'sk-literal' };

  it('keeps a config with several targets and no strategy valid, with mode single', async () => {
    const made = await imported('portkey', { targets: [target] });
    expect(parsed(made, 'configs/source.json')).toMatchObject({ strategy: { mode: 'single' }, targets: [{}] });
    expect(made.losses).toEqual([]);
  });

  it('leaves out a target whose host is rejected', async () => {
    const made = await imported('portkey', {
      strategy: { mode: 'fallback' },
      targets: [{ ...target, custom_host: 'https://user:literal@models.example.com/v1', name: 'private' }, target],
    });
    expect(parsed(made, 'configs/source.json')).toMatchObject({ targets: [{ provider: 'openai' }] });
    expect(Object.values(made.files).join('')).not.toContain('private');
  });

  it('moves the settings inside a strategy next to it, and converts a failure rate to a number', async () => {
    const made = await imported('portkey', {
      strategy: {
        mode: 'fallback',
        cb_config: { failure_threshold_percentage: 30, minimum_requests: 10, cooldown_interval: 30_000 },
        retry: { attempts: 2 },
      },
      targets: [target, { ...target, provider: 'groq' }],
    });
    expect(parsed(made, 'configs/source.json')).toMatchObject({
      strategy: { mode: 'fallback' },
      cb_config: { failure_threshold: 3, cooldown_interval: 30_000 },
      retry: { attempts: 2 },
    });
    expect(made.losses).toEqual([
      expect.objectContaining({ place: '/strategy/cb_config/failure_threshold_percentage' }),
    ]);
  });

  it('creates guardrails from hooks that deny an answer or run asynchronously', async () => {
    const check = (word: string): object => ({
      id: 'default.contains',
      parameters: { words: [word], operator: 'none' },
    });
    const hook = (id: string, more: object): object => ({ id, type: 'guardrail', checks: [check(id)], ...more });
    const made = await imported('portkey', {
      ...target,
      before_request_hooks: [hook('a', { async: true }), hook('b', { deny: true, async: false })],
      after_request_hooks: [hook('c', { deny: true }), hook('d', { deny: false })],
      output_guardrails: [{ id: 'e', 'default.contains': { words: ['e'], operator: 'none' } }],
    });
    const contains = (word: string): object => ({ 'default.contains': { words: [word] } });
    expect(parsed(made, 'configs/source.json')).toMatchObject({
      input_guardrails: [{ id: 'a', async: true, ...contains('a') }],
      before_request_hooks: [{ id: 'b', on_fail: { deny: true } }],
      after_request_hooks: [{ id: 'd' }],
      output_guardrails: [{ id: 'e' }, { id: 'c', deny: true, ...contains('c') }],
    });
    expect(made.losses).toEqual([]);
  });

  it('leaves out an unknown check, and its hook if it has no other check, and reports each once', async () => {
    const hook = (id: string, ids: readonly string[], more: object = {}): object => ({
      id,
      type: 'guardrail',
      checks: ids.map((each) => ({ id: each, parameters: { words: ['a'], operator: 'none' } })),
      ...more,
    });
    const made = await imported('portkey', {
      ...target,
      before_request_hooks: [hook('a', ['portkey.pii', 'default.contains']), hook('b', ['vendor.unheard'])],
      after_request_hooks: [hook('c', ['portkey.moderateContent'], { deny: true })],
    });
    const config = parsed(made, 'configs/source.json');
    expect(config).toMatchObject({ before_request_hooks: [{ id: 'a', checks: [{ id: 'default.contains' }] }] });
    expect(config).not.toHaveProperty('output_guardrails');
    expect(made.losses).toEqual(
      [
        ['"portkey.pii"', 'write default.pii instead'],
        ['"vendor.unheard"', 'lists the available checks'],
        ['"portkey.moderateContent"', 'write mistral.moderateContent instead'],
      ].map(([why = '', instead = '']) =>
        expect.objectContaining({
          unchecked: true,
          why: expect.stringContaining(why),
          instead: expect.stringContaining(instead),
        }),
      ),
    );
  });

  it('saves a Bedrock virtual key with its region, and reports what to correct', async () => {
    const made = await imported('portkey', { virtual_key: 'bedrock-prod', override_params: { model: 'a' } });
    expect(parsed(made, 'gateway.json')).toMatchObject({
      virtual_keys: { 'bedrock-prod': { provider: 'bedrock', settings: { cloudc_region: 'us-east-1' } } },
    });
    expect(made.losses).toEqual([
      expect.objectContaining({ instead: expect.stringContaining('cloudc_secret_access_key in place of api_key') }),
    ]);
  });

  it('uses the name of a config that has one', async () => {
    const made = await imported('portkey', { name: 'Shadow Tests', ...target });
    expect(parsed(made, 'gateway.json')).toMatchObject({ default_config: 'shadow-tests' });
    expect(made.files).toHaveProperty('configs/shadow-tests.json');
  });

  it.each([
    ['a custom header', { provider: 'openai', Authorization: 'Bearer literal' }],
    ['a service account', { provider: 'vertex-ai', vertex_service_account_json: { private_key: 'literal' } }],
    [
      'a service account as JSON text',
      { provider: 'vertex-ai', vertexServiceAccountJson: '{"private_key":"literal"}' },
    ],
    [
      'credentials of a hook',
      {
        ...target,
        beforeRequestHooks: [
          {
            id: 'a',
            checks: [{ id: 'bedrock.guard', parameters: { guardrailId: 'a', guardrailVersion: '1' } }],
            credentials: { awsAccessKeyId: 'literal-id', awsSecretAccessKey: 'literal-key', awsRegion: 'eu-west-1' },
          },
        ],
      },
    ],
    [
      'headers of a check',
      {
        ...target,
        after_request_hooks: [
          {
            id: 'a',
            checks: [
              {
                id: 'default.webhook',
                parameters: { webhookURL: 'https://example.com', headers: { Authorization: 'Bearer literal' } },
              },
            ],
          },
        ],
      },
    ],
  ])('copies no secret from %s', async (_what, source) => {
    expect(JSON.stringify(await imported('portkey', source))).not.toContain('literal');
  });

  it('reports what is lost if nothing remains, and writes nothing', async () => {
    const folder = temporaryFolder({ 'a.json': { targets: [{ prompt_id: 'p' }], strategy: { mode: 'fallback' } } });
    const { code, out, err } = await runGw(folder, ['import', 'portkey', 'a.json', '--out', 'out']);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^a\.json:\d+ The prompt "p" of this target is in the store.*\n$/),
    ]);
    expect(err).toContain('Nothing in a.json could be imported.');
    expect(() => readFileSync(path.join(folder, 'out', 'gateway.json'))).toThrow();
  });
});
