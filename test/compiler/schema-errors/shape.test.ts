import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { validateConfig } from '../../../schema/generated/validate-config.ts';
import { validateGatewayFile } from '../../../schema/generated/validate-gateway-file.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/plans/catalogue.ts';
import { compiled, toCodes } from '../../support/plans/compiled.ts';

const isValid = (value: Json): boolean => validateConfig(value).length === 0;

describe('the schema of configs', () => {
  it.each<[JsonObject]>([
    [{ provider: 'x', api_key: 'k' }],
    [{ provider: 'x', custom_host: 'h' }],
    [{ virtual_key: 'k' }],
    [{ strategy: { mode: 'single' }, targets: [] }],
    [{ cache: { mode: 'simple' } }],
    [{ retry: { attempts: 1 } }],
    [{ prompt_id: 'p' }],
    [{ forward_headers: [] }],
    [{ request_timeout: 1 }],
    [{ provider: 'x', cloudc_access_key_id: 'i', cloudc_secret_access_key: 'k' }],
    [{ provider: 'x', cloudb_region: 'r', cloudb_service_account_json: {} }],
    [{ provider: 'x', cloudb_region: 'r', cloudb_project_id: 'p' }],
    [{ provider: 'x', clouda_endpoint_name: 'e', clouda_deployment_type: 'managed' }],
    [{ after_request_hooks: [] }],
    [{ before_request_hooks: [] }],
    [{ input_guardrails: [] }],
    [{ output_guardrails: [] }],
    [{ provider: '@slug' }],
  ])('accepts %j', (config) => {
    expect(isValid(config)).toBe(true);
  });

  it.each<[JsonObject]>([
    [{}],
    [{ name: 'x', weight: 1, api_key: 'k' }],
    [{ strategy: { mode: 'single' } }],
    [{ targets: [] }],
    [{ cache: 'simple' }],
    [{ retry: { attempts: 6 } }],
    [{ retry: { attempts: 1, use_retry_after_header: true } }],
    [{ retry: null }],
    [{ provider: 'x', strategy: { mode: 'conditional', conditions: [] } }],
    [{ provider: 'x', cb_config: { failure_threshold: 0, cooldown_interval: 30000 } }],
    [{ provider: 'x', cb_config: { failure_threshold: 1, cooldown_interval: 29999 } }],
    [{ provider: 'x', default_params: {} }],
    [{ provider: 'x', before_request_hooks: [{ id: 'h', async: true }] }],
    [{ provider: 'x', before_request_hooks: [{ checks: [] }] }],
    [{ provider: 'x', before_request_hooks: [{ id: 'h', checks: [{ id: 'c', parameters: {}, is_enabled: true }] }] }],
    [{ provider: 'x', input_guardrails: [{ on_fail: { deny: true } }] }],
    [{ provider: 'x', input_guardrails: [{ sequential: true }] }],
    [{ provider: 'x', deployments: [{ alias: 'a' }] }],
    [{ provider: 'x', clouda_deployment_type: 'other' }],
    [{ strategy: { mode: 'single' }, targets: [{ provider: 'x', more: 1 }] }],
  ])('rejects %j', (config) => {
    expect(isValid(config)).toBe(false);
  });
});

describe('the schema of gateway files', () => {
  const isGood = (value: Json): boolean => validateGatewayFile(value).length === 0;
  const provider = { provider: 'openai', credential: { api_key: '${env:KEY}' }, settings: { custom_host: 'http://h' } };

  it('accepts every kind of member', () => {
    expect(
      isGood({
        listen: { host: '127.0.0.1', port: 8787 },
        auth: { keys: [{ id: 'a', key: '${file:/run/secrets/a}', tenant: 't' }] },
        configs: './configs',
        default_config: 'prod',
        plugins: [{ package: './plugin.js', options: { any: [1] } }],
        providers: { a: provider },
        virtual_keys: { b: provider },
        guardrails: { c: { deny: true, 'default.contains': { words: [] } } },
        trusted_hosts: ['localhost'],
        limits: { header_bytes: 1, config_bytes: 1, body_bytes: 1, bodies_bytes: 1 },
      }),
    ).toBe(true);
    expect(isGood({})).toBe(true);
  });

  it.each<[JsonObject]>([
    [{ port: 1 }],
    [{ listen: { port: 70000 } }],
    [{ auth: { keys: [{ id: 'a', key: 'a-literal-key' }] } }],
    [{ providers: { a: { provider: 'openai', credential: { api_key: 'sk-literal' } } } }],
    [{ providers: { a: { provider: 'openai', credential: { api_key: '${file:relative}' } } } }],
    [{ providers: { a: { credential: {} } } }],
    [{ guardrails: { a: { 'default.contains': 5 } } }],
    [{ limits: { body_bytes: 0 } }],
  ])('rejects %j', (file) => {
    expect(isGood(file)).toBe(false);
  });
});

describe('one mistake', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ provder: 'openai' }, ['unknown-key']],
    [{ provider: 5 }, ['wrong-type']],
    [{ provider: '@openai-prod', retry: { attemps: 2 } }, ['unknown-key']],
    [{ provider: '@openai-prod', retry: 3 }, ['wrong-type']],
    [{ strategy: { mod: 'fallback' }, targets: [{ provider: '@openai-prod' }] }, ['unknown-key']],
    [{ strategy: { mode: 'fallback' }, targets: { provider: '@openai-prod' } }, ['wrong-type']],
    [{ strategy: { mode: 'fallback' }, targets: [5, { provider: '@openai-prod' }] }, ['wrong-type']],
    [{ strategy: { mode: 'fallback' }, targets: [{}, { provider: '@openai-prod' }] }, ['no-valid-combination']],
    [{ strategy: { mode: 'loadbalance' }, targets: [{ provider: 'echo', weight: '2' }] }, ['wrong-type']],
    [{ provider: 'openai', api_key: 5 }, ['wrong-type']],
    [{ strategy: { mode: null }, targets: [{ provider: '@openai-prod' }] }, ['not-in-list']],
    [{ provider: '@openai-prod', clouda_deployment_type: 5 }, ['not-in-list']],
    [{ provider: 'openai', apikey: '${env:KEY}' }, ['unknown-key']],
    [{ provider: '@openai-prod', input_guardrails: 'no-secrets' }, ['wrong-type']],
    [{ provider: '@openai-prod', before_request_hooks: [{ id: 5 }] }, ['wrong-type']],
    [
      { provider: '@openai-prod', before_request_hooks: [{ id: 'h', checks: [{ id: 5, parameters: {} }] }] },
      ['wrong-type'],
    ],
    [
      { provider: '@openai-prod', before_request_hooks: [{ id: 'h', checks: [{ id: 'contains', parameters: 5 }] }] },
      ['wrong-type'],
    ],
    [
      {
        strategy: { mode: 'conditional', conditions: [{ query: {}, then: 5 }], default: 'a' },
        targets: [
          { provider: '@openai-prod', name: 'a' },
          { provider: '@openai-prod', name: 'b' },
        ],
      },
      ['wrong-type'],
    ],
  ])('in %j is reported once', (config, codes) => {
    expect(toCodes(config)).toEqual(codes);
  });

  it('does not hide others', () => {
    const config = {
      provider: 5,
      retry: { attempts: 9 },
      weight: 1,
      input_guardrails: [{ nobody: {} }],
      forward_headers: ['host'],
    };
    expect(new Set(toCodes(config))).toEqual(
      new Set(['wrong-type', 'out-of-range', 'no-effect', 'unknown-check', 'header-not-forwarded']),
    );
  });

  it('is reported without the terms of a schema validator', () => {
    const configs = [
      { provider: 5 },
      { retry: {} },
      { cache: { mode: 'x' } },
      { targets: 1 },
      {},
      { request_timeout: -1 },
    ];
    const text = JSON.stringify(configs.map((config) => compiled(config as JsonObject).diagnostics));
    expect(text).not.toMatch(/must NOT|must match|should|additional propert|enum|schema|instance|keyword|undefined/i);
  });

  it('in a saved guardrail is reported at the place where the guardrail is used', () => {
    const broken = { ...saved, guardrails: { bad: { 'default.contains': { wrods: ['x'], operator: 'all' } } } };
    const text = '{"provider":"echo","input_guardrails":["bad"]}';
    const { diagnostics } = compile(text, { trust: 'operator', catalogue, saved: broken });
    expect(diagnostics.map(({ code, pointer }) => [code, pointer])).toEqual([['unknown-key', '/input_guardrails/0']]);
  });
});
