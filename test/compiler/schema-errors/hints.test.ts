import { describe, expect, it } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import { plainKeyHint } from '../../../compiler/schema-errors/key-hint.ts';
import type { Json } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { compiled } from '../../support/plans/compiled.ts';

const openai = { provider: '@openai-prod' };
const group = (strategy: Json, more: object = {}): Json => ({ strategy, targets: [openai], ...more });
const hook = (members: object): Json => ({ ...openai, before_request_hooks: [members] }) as Json;

/** Returns the findings of a config as `code: hint`. */
const hints = (config: Json): readonly string[] =>
  compiled(config).diagnostics.map(({ code, hint = '' }) => `${code}: ${hint}`);

describe('a check with invalid parameters', () => {
  it('is not reported for a plain-text reference, because its secret parameters are unknown', () => {
    const refused = { 'default.webhook': { secretHeaders: { 'x-key': '${env:KEY}' } } };
    expect(hints({ ...openai, output_guardrails: [refused] })).toEqual(['missing-key: Add "webhookURL".']);
  });

  it('gets a hint about the form of a URL', () => {
    const refused = { 'default.webhook': { webhookURL: 'hooks.example/check' } };
    expect(hints({ ...openai, output_guardrails: [refused] })).toEqual([
      'wrong-form: Write a whole URL, such as https://example.com/path.',
    ]);
  });
});

describe('a name that every object inherits from Object.prototype', () => {
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
  it.each(names)('is treated like any other unknown name: %s', (name) => {
    const odd = { [name]: 1 };
    const queried = { mode: 'conditional', default: 'a', conditions: [{ query: { 'metadata.a': odd }, then: 'a' }] };
    const named = { ...openai, name: 'a' };
    const configs: readonly Json[] = [
      { ...openai, ...odd },
      group({ mode: 'fallback', ...odd }),
      group({ mode: name }),
      group({ mode: 'loadbalance' }, { retry: odd, cache: odd, cb_config: odd }),
      group(queried, { targets: [named] }),
      { provider: name },
      hook({ id: name, type: 'guardrail', checks: [{ id: name, parameters: odd }], ...odd }),
      { ...openai, input_guardrails: [{ [name]: odd }] },
    ];
    for (const config of configs) {
      const found = compiled(config).diagnostics;
      expect(found.map(({ message, hint = '' }) => `${message} ${hint}`).join('\n')).not.toContain('native code');
      expect(found.length).toBeGreaterThan(0);
    }
  });
});

describe('a key that is not allowed', () => {
  it.each<[string, Json, string]>([
    ['has another name', { ...openai, retries: { attempts: 1 } }, 'Did you mean "retry"?'],
    ['has another name', { ...openai, max_retries: 3 }, 'Write "retry": { "attempts": 3 }.'],
    ['has another name', { ...openai, timeout: 3000 }, 'Did you mean "request_timeout"?'],
    ['has another name', { ...openai, base_url: 'https://a.example/v1' }, 'Did you mean "custom_host"?'],
    ['has another name', { ...openai, baseURL: 'https://a.example/v1' }, 'Did you mean "custom_host"?'],
    ['has another name', { provider: 'bedrock', aws_region: 'eu-west-1' }, 'Did you mean "cloudc_region"?'],
    ['has another name', { provider: 'bedrock', awsAccessKeyId: 'AKIA' }, 'Did you mean "cloudc_access_key_id"?'],
    ['has another name', { provider: 'bedrock', aws_region_name: 'eu-west-1' }, 'Did you mean "cloudc_region"?'],
    ['has another name', { provider: 'vertex-ai', vertex_location: 'global' }, 'Did you mean "cloudb_region"?'],
    ['has another name', { provider: 'azure-openai', azure_resource_name: 'acme' }, 'Did you mean "resource_name"?'],
    ['has another name', { ...openai, circuit_breaker: {} }, 'Did you mean "cb_config"?'],
    ['has another name', { ...openai, headers: {} }, 'Did you mean "forward_headers"?'],
    ['has another name', { ...openai, retry: { max_retries: 1 } }, 'Did you mean "attempts"?'],
    ['is spelt differently', { provider: 'openai', apiKey: '${env:KEY}' }, 'Did you mean "api_key"?'],
    ['starts with the name of a vendor', { ...openai, acme_organization: 'x' }, 'Did you mean "llmv_organization"?'],
    [
      'could mean either of two keys',
      { ...openai, guardrails: [] },
      'Write "input_guardrails" for requests, "output_guardrails" for answers, or both.',
    ],
    [
      'is the name of a mode',
      { fallbacks: [openai] },
      'Write "strategy": { "mode": "fallback" }, and the alternatives in "targets".',
    ],
    [
      'belongs one level up',
      group({ mode: 'fallback', retry: { attempts: 1 } }),
      'Move it up: "retry" belongs beside "strategy", not inside it.',
    ],
    [
      'belongs one level down',
      group({ mode: 'conditional', default: 'a' }, { conditions: [] }),
      'Move it into "strategy": "strategy": { "conditions": … }.',
    ],
    ['belongs one level down', { ...openai, attempts: 2 }, 'Move it into "retry": "retry": { "attempts": … }.'],
    [
      'belongs in another object',
      { ...openai, retry: { attempts: 1, failure_threshold: 2 } },
      'Move it into "cb_config" beside "retry": "cb_config": { "failure_threshold": … }.',
    ],
    ['has another name', group({ mode: 'fallback', on_errors: [429] }), 'Did you mean "on_status_codes"?'],
    [
      'belongs beside a check',
      { ...openai, input_guardrails: [{ 'default.contains': { words: ['a'], operator: 'none', deny: true } }] },
      'Move it up: "deny" belongs beside "default.contains", not inside it.',
    ],
    [
      'belongs beside checks',
      hook({
        id: 'h',
        type: 'guardrail',
        checks: [{ id: 'default.contains', parameters: { words: ['a'], operator: 'none', async: true } }],
      }),
      'Move it up: "async" belongs in the hook, beside "checks".',
    ],
    ['belongs in targets', group({ mode: 'loadbalance', weights: [1] }), 'Write "weight" in each target.'],
    [
      'is a request parameter',
      { ...openai, model: 'gpt-4o' },
      'It is a parameter of requests; write "override_params": { "model": … }.',
    ],
    [
      'belongs in the gateway file',
      { ...openai, trusted_hosts: [] },
      'Move "trusted_hosts" into the gateway file, the one that --config names.',
    ],
    ['belongs in on_fail', hook({ id: 'h', deny: true }), 'Move it into "on_fail": "on_fail": { "deny": true }.'],
    ['wraps the config', { config: openai }, 'Write the members of "config" directly, without "config" around them.'],
    [
      'comes from another gateway',
      { model_list: [] },
      'Files of LiteLLM have it; gw import litellm FILE makes configs of one.',
    ],
    ['is a comment', { ...openai, _comment: 'x' }, 'Write a comment instead: // … at the end of a line, or /* … */.'],
  ])('gets a hint if it %s: %j', (_, config, hint) => {
    expect(hints(config)).toContain(`unknown-key: ${hint}`);
  });

  it.each<[Json]>([
    [{ strategy: { mode: 'fallback', targets: [openai] } }],
    [group({ mode: 'conditional', default: 'a' }, { conditions: [], targets: [{ ...openai, name: 'a' }] })],
    [{ mode: 'fallback', targets: [openai] }],
    [{ ...openai, retry: { count: 1 } }],
    [{ config: openai }],
    [{ ...openai, input_guardrails: [{ 'default.contains': { parameters: { words: ['x'], operator: 'none' } } }] }],
    [hook({ id: 'h', checks: [{ 'default.contains': { words: ['x'], operator: 'none' } }] })],
  ])('is not also reported as missing at its proper place: %j', (config) => {
    expect(compiled(config).diagnostics.map(({ code }) => code)).toEqual(['unknown-key']);
  });
});

describe('a value of the wrong type', () => {
  it.each<[Json, string]>([
    [{ strategy: 'loadbalance', targets: [openai] }, 'Write { "mode": "loadbalance" }.'],
    [group({ mode: 'fallback' }, { targets: ['@azure-prod'] }), 'Write { "provider": "@azure-prod" }.'],
    [hook({ id: 'h', on_fail: 'deny' }), 'Write { "deny": true }.'],
    [hook({ id: 'h', checks: ['default.contains'] }), 'Write { "id": "default.contains", "parameters": { … } }.'],
    [{ ...openai, cache: 'simple' }, 'Write { "mode": "simple" }.'],
    [{ ...openai, retry: 2 }, 'Write { "attempts": 2 }.'],
    [{ ...openai, retry: { attempts: 1, on_status_codes: 429 } }, 'Write [429].'],
    [
      { ...openai, retry: { attempts: 1, on_status_codes: ['5xx'] } },
      'Status classes are not read; list each status, such as 500, 502, 503, 504.',
    ],
    [{ ...openai, request_timeout: '30s' }, 'Write 30000; the unit is milliseconds.'],
    [{ ...openai, request_timeout: '500ms' }, 'Write 500; the unit is milliseconds.'],
    [{ ...openai, request_timeout: '30 Secs' }, 'Write 30000; the unit is milliseconds.'],
    [{ ...openai, request_timeout: '30000' }, 'Write 30000, without quotes.'],
    [{ ...openai, cache: { mode: 'simple', max_age: '1h' } }, 'Write 3600; the unit is seconds.'],
    [{ ...openai, weight: '70%' }, 'Write 70, without quotes and the percent sign.'],
    [
      group(
        { mode: 'loadbalance' },
        {
          targets: [
            { ...openai, weight: 0.7 },
            { ...openai, weight: '30%' },
          ],
        },
      ),
      'Write 0.3, without quotes and the percent sign.',
    ],
    [
      group(
        { mode: 'loadbalance' },
        {
          targets: [
            { ...openai, weight: 7 },
            { ...openai, weight: '30 %' },
          ],
        },
      ),
      'Write 30, without quotes and the percent sign.',
    ],
    [{ ...openai, strict_llmv_compliance: 'yes' }, 'Write true; "yes" is a string.'],
    [{ ...openai, input_guardrails: 'no-secrets' }, 'Write ["no-secrets"].'],
    [{ ...openai, api_key: null }, 'Write a string, or remove "api_key".'],
    [{ ...openai, override_params: [{ model: 'x' }] }, 'Write one object, without brackets around it.'],
    [[openai], 'A file holds one config, not a list; put alternatives in "targets", with a "strategy" beside them.'],
    ['{"provider":"echo"}', 'The object is inside a string; remove the quotes around it and the backslashes in it.'],
  ])('gets a hint with the right form: %j', (config, hint) => {
    expect(hints(config)).toContain(`wrong-type: ${hint}`);
  });
});

it.each<[Json, string]>([
  [
    group({ mode: 'fallback' }, { targets: [openai, { ...openai, on_status_codes: [429] }] }),
    'no-effect: Move it into the "strategy" of the fallback that has this target.',
  ],
  [group({ mode: 'canary' }), 'not-in-list: Write "loadbalance", and give each target a "weight".'],
  [group({ mode: 'failover' }), 'not-in-list: Write "fallback"; it tries the targets in their order.'],
  [
    { ...openai, cb_config: { failure_threshold: 1, cooldown_interval: 30 } },
    'out-of-range: The unit is milliseconds; write 30000 for 30 seconds.',
  ],
  [
    { api_key: '${env:KEY}' },
    'no-valid-combination: Add the "provider" that the "api_key" belongs to, such as "openai".',
  ],
  [
    { provider: 'openai', api_key: '{{OPENAI_API_KEY}}' },
    'inline-secret: Write ${env:OPENAI_API_KEY}, if this is an environment variable.',
  ],
  [{ strategy: { mode: 'single' } }, 'no-valid-combination: Add "targets" with the target to call.'],
  [
    { ...openai, before_request_hooks: [{ id: 'no-secrets', checks: [] }] },
    'no-effect: Remove "checks" to use the saved guardrail of this name.',
  ],
  [{ ...openai, before_request_hooks: [{ id: 'no-secret', checks: [] }] }, 'no-effect: Did you mean "no-secrets"?'],
  [
    { ...openai, input_guardrails: [{ 'default.regexMatch': { rule: '(?:a{100}){100}' } }] },
    'invalid-regex: Write a shorter pattern, or split it into several checks or conditions.',
  ],
  [{ provider: 'openai', custom_host: 'localhost:11434/v1' }, 'invalid-custom-host: Write http://localhost:11434/v1.'],
])('%j has a hint', (config, hint) => {
  expect(hints(config)).toContain(hint);
});

describe('a wrong reference to a target', () => {
  const choose = (then: Json, target: object = {}): Json =>
    ({
      strategy: { mode: 'conditional', conditions: [{ query: { 'metadata.a': 1 }, then }], default: then },
      targets: [{ ...openai, ...target }],
    }) as Json;

  it('must be the name of the target, not its index or contents', () => {
    const hint = 'wrong-type: Write the "name" of a target, in double quotes.';
    expect(hints(choose(0, { name: 'a' }))).toEqual([hint, hint]);
    expect(hints(choose({ provider: 'openai' }, { name: 'a' }))).toEqual([hint, hint]);
  });

  it('gets a hint to name the target if no target has a name', () => {
    const hint = 'unknown-target: No target here has a name; give the intended one a "name".';
    expect(hints(choose('openai'))).toEqual([hint, hint]);
  });
});

describe('a gateway file member in the singular', () => {
  const echo = { provider: 'echo' };
  it.each<[Json, string]>([
    [{ provider: { main: echo } }, 'Did you mean "providers"?'],
    [{ virtual_key: { old: echo } }, 'Did you mean "virtual_keys"?'],
    [{ guardrail: {} }, 'Did you mean "guardrails"?'],
    [{ model: {} }, 'Did you mean "models"?'],
    [{ provider: 'echo' }, 'Move "provider" into a config, a file of the folder that "configs" names.'],
  ])('%j', (file, hint) => {
    const { diagnostics } = readGatewayFile(JSON.stringify({ workers: 1, ...(file as object) }), 'gateway.json');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'unknown-key', hint })]);
  });
});

describe('a number in the gateway file with a unit', () => {
  it.each<[object, string]>([
    [{ cache: { max_bytes: '64MB' } }, 'Write 67108864; the unit is bytes.'],
    [{ cache: { max_bytes: '64m' } }, 'Write 67108864; the unit is bytes.'],
    [{ cache: { stale_if_error_s: '1h' } }, 'Write 3600; the unit is seconds.'],
    [{ limits: { drain_ms: '30s' } }, 'Write 30000; the unit is milliseconds.'],
    [{ plugins: [{ package: './a.mjs', isolate: true, memory_mb: '256m' }] }, 'Write 256; the unit is megabytes.'],
    [{ log: { keep_days: '2d' } }, 'Write 2; the unit is days.'],
    [{ overload: true }, 'Write {}; each of its settings has a default.'],
  ])('%j', (file, hint) => {
    const { diagnostics } = readGatewayFile(JSON.stringify(file), 'gateway.json');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'wrong-type', hint })]);
  });
});

describe("a member of another gateway's file in a gateway file", () => {
  it.each<[Json, string]>([
    [{ router_settings: {} }, 'Files of LiteLLM have it; gw import litellm FILE makes configs of one.'],
    [{ config_store: {} }, 'Files of Bifrost have it; gw import bifrost FILE makes configs of one.'],
  ])('%j', (file, hint) => {
    const { diagnostics } = readGatewayFile(JSON.stringify({ workers: 1, ...(file as object) }), 'gateway.json');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'unknown-key', hint })]);
  });
});

describe('a guardrail member that is not a check', () => {
  it.each([
    ['dney', true, 'Did you mean "deny"?'],
    ['asynch', true, 'Did you mean "async"?'],
    ['words', 5, 'Every member of a guardrail except id, deny, async, on_fail and on_success is a check'],
  ])('%s', (name, value, hint) => {
    const [first] = hints({ ...openai, input_guardrails: [{ [name]: value }] });
    expect(first).toContain(`wrong-type: ${hint}`);
  });
});

describe('a reference written as an object', () => {
  it.each<[Json, string]>([
    [{ 'env:KEY': null }, 'Write "${env:KEY}".'],
    [{ env: 'KEY' }, 'Write "${env:KEY}".'],
    [{ file: '/run/key' }, 'Write "${file:/run/key}".'],
    [{ env: 'KEY', file: '/run/key' }, 'Write one string, in double quotes.'],
    [{ vault: 'KEY' }, 'Write one string, in double quotes.'],
    [{}, 'Write one string, in double quotes.'],
    [['env:KEY'], 'Write one string, in double quotes.'],
  ])('%j', (value, hint) => {
    expect(hints({ provider: 'openai', api_key: value })).toEqual([`wrong-type: ${hint}`]);
  });
});

describe('a key of a target', () => {
  it.each([
    ['${env:KEY}', '"${env:KEY}"'],
    ['a-key-that-is-secret', '"…"'],
  ])('must be an object and not %j', (key, shown) => {
    const hint = `wrong-type: Write { "api_key": ${shown} }.`;
    expect(hints({ provider: 'openai', keys: [key, { api_key: '${env:OTHER}' }] })).toContain(hint);
  });
});

describe('an object of the gateway file written as another value', () => {
  it.each<[string, Json, string]>([
    ['a plugin', { plugins: ['./plugin.mjs'] }, 'Write { "package": "./plugin.mjs" }.'],
    ['a plugin', { plugins: [5] }, 'Write { "package": "gatewright-plugin-acme" }.'],
    ['a service key', { auth: { keys: ['${env:KEY}'] } }, 'Write { "id": "team-a", "key": "${env:KEY}" }.'],
    ['a service key', { auth: { keys: ['a-key-that-is-secret'] } }, 'Write { "id": "team-a", "key": "…" }.'],
    [
      'a key of a saved provider',
      { providers: { prod: { provider: 'openai', keys: ['${env:KEY}'] } } },
      'Write { "api_key": "${env:KEY}" }.',
    ],
    [
      'the log',
      { log: 'requests.jsonl' },
      'Write { "bodies": false }. GW_LOG=requests prints a line for each request.',
    ],
    ['an address', { listen: 8080 }, 'Write { "port": 8080 }.'],
    ['an address', { listen: ':8080' }, 'Write { "port": 8080 }.'],
    ['an address', { listen: '0.0.0.0:8080' }, 'Write { "host": "0.0.0.0", "port": 8080 }.'],
    ['an address', { listen: 80800 }, 'Write { "port": 8787 }.'],
    ['an address', { listen: [] }, 'Write { "port": 8787 }.'],
    ['the store', { store: 'data/gateway.db' }, 'Write { "url": "data/gateway.db" }.'],
    ['the store', { store: 'postgres://user:password@db/name' }, 'Write { "url": "gateway.db" }.'],
  ])('%s gets a hint with its right form: %j', (_, file, hint) => {
    const { diagnostics } = readGatewayFile(JSON.stringify(file), 'gateway.json');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'wrong-type', hint })]);
  });
});

describe('an unknown setting of a saved provider', () => {
  it('gets a hint with every known setting that starts with it', () => {
    const hintOf = (key: string) =>
      plainKeyHint({
        ...{ key, value: 'a', pointer: toPointer(['settings']), schemaPath: '/settings' },
        keys: ['resource_name', 'deployment_id', 'deployments'],
      }).suggestion;
    expect(hintOf('deployment')).toBe('Did you mean "deployment_id" or "deployments"?');
    expect(hintOf('resource')).toBe('Did you mean "resource_name"?');
  });
});

describe('an unknown check', () => {
  it('gets a hint with each name once, although some checks have several spellings', () => {
    const [hint = ''] = hints({ ...openai, input_guardrails: [{ 'manners.noShouting': {}, deny: true }] });
    const names = hint.match(/"[^"]+"/g) ?? [];
    expect(names).toContain('"default.alllowercase"');
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

describe('a file that is not an object', () => {
  it.each([
    [[1], 'The gateway file must be an object, not a list.', 'Write one object, such as { "configs": "configs" }.'],
    [null, 'The gateway file must be an object, not null.', 'Write { … } around the settings.'],
    ['a:b', 'The gateway file must be an object, not a string.', 'Write a space after the colon of "a:".'],
  ])('is called a gateway file if it is one: %j', (file, message, hint) => {
    const { diagnostics } = readGatewayFile(JSON.stringify(file), 'gateway.json');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'wrong-type', message, hint })]);
  });

  it.each([
    ['a member without a space after its colon', 'provider:echo', 'Write a space after the colon of "provider:".'],
    ['a single word', 'echo', 'Write { … } around the settings.'],
    ['a config in a string', '{"provider":"echo"}', 'The object is inside a string'],
    ['a list', ['echo'], 'A file holds one config, not a list'],
  ])('gets a hint about %s', (_, config, hint) => {
    expect(hints(config)).toEqual([expect.stringContaining(hint)]);
  });
});
