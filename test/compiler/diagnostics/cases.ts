import type { KnownModels } from '../../../compiler/compile-options.ts';
import type { DiagnosticCode } from '../../../compiler/diagnostics/table.ts';
import { maxDepth } from '../../../compiler/validate/limits.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { maxNamedPrompts } from '../../../schema/config/named-prompts.ts';
import type { Saved, SavedPrompt, SavedPrompts } from '../../../schema/config/saved.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import { indexFacts } from '../../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../../schema/model-facts/join-facts.ts';
import { testCatalogue } from '../../support/catalogue.ts';

/** A config with exactly one mistake. */
export interface Case {
  readonly text: string;
  readonly trust?: Trust;
  /** What `prompt_id` can name; there is no store if absent. */
  readonly prompts?: SavedPrompts;
  /** Saved providers beside those of all tests. */
  readonly providers?: Saved['providers'];
  /** The virtual models of the gateway file; none if absent. */
  readonly virtualModels?: Saved['models'];
  /** The plugins that are loaded; those of all tests if absent. */
  readonly catalogue?: Catalogue;
  /** What is known of models; nothing if absent. */
  readonly models?: KnownModels;
  /** Whether the gateway makes vectors of texts; not known if absent. */
  readonly makesVectors?: boolean;
  /** Whether it is to be read by other gateways too. */
  readonly portable?: boolean;
  /** Configs close to it that must not be told the same. */
  readonly without?: readonly string[];
}

const lines = (...text: readonly string[]): string => text.join('\n');

const group = (mode: string, ...targets: readonly string[]): string =>
  lines(
    '{',
    `  "strategy": { "mode": "${mode}" },`,
    '  "targets": [',
    targets.map((each) => `    ${each}`).join(',\n'),
    '  ]',
    '}',
  );

const conditional = (conditions: string, rest = '"default": "fast"'): string =>
  lines(
    '{',
    '  "strategy": {',
    '    "mode": "conditional",',
    `    ${[conditions === '' ? '' : `"conditions": [${conditions}]`, rest].filter((part) => part !== '').join(',\n    ')}`,
    '  },',
    '  "targets": [',
    '    { "name": "fast", "provider": "@openai-prod" },',
    '    { "name": "careful", "provider": "@azure-prod" }',
    '  ]',
    '}',
  );

const when = (query: string, then = 'careful'): string => `{ "query": ${query}, "then": "${then}" }`;

const guarded = (field: string, guardrail: string): string =>
  lines('{', '  "provider": "@openai-prod",', `  "${field}": [${guardrail}]`, '}');

const mirror = (target: string, checks?: string): string =>
  lines(
    '{',
    '  "provider": "@openai-prod",',
    `  "mirror": { "target": ${target}, "percent": 5${checks === undefined ? '' : `, "checks": ${checks}`} }`,
    '}',
  );

const target = '{ "provider": "@openai-prod" }';
const requiring = (...models: readonly string[]): string =>
  lines(
    '{',
    '  "strategy": { "mode": "fallback", "require": "capabilities" },',
    '  "targets": [',
    models.map((model) => `    { "provider": "@openai-prod", "override_params": { "model": ${model} } }`).join(',\n'),
    '  ]',
    '}',
  );
const nested = Array.from({ length: maxDepth + 1 }).reduce<string>(
  (inner) => `{ "strategy": { "mode": "single" }, "targets": [${inner}] }`,
  target,
);

const greeting: SavedPrompt = { slug: 'greeting', versionId: 'v1', virtualKey: 'team-a', kind: 'chat' };
const prompts: SavedPrompts = {
  slugs: ['greeting', 'farewell'],
  found: { 'greeting@prod': greeting, farewell: { ...greeting, slug: 'farewell', virtualKey: '@gone' } },
};
const references = Array.from({ length: maxNamedPrompts + 1 }, (_, index) => `greeting@${index + 1}`);

const fallingBack = (...models: readonly string[]): string =>
  group(
    'fallback',
    ...models.map((model) => `{ "provider": "@openai-prod", "override_params": { "model": "${model}" } }`),
  );

const abilities: KnownModels = {
  today: '2026-11-24',
  find: indexFacts(
    joinFacts([
      { provider: 'openai', model: 'seeing', able: ['chat', 'vision'], source: 'row', asOf: '2026-11-01' },
      { provider: 'openai', model: 'seeing-too', able: ['chat', 'vision'], source: 'row', asOf: '2026-11-01' },
      { provider: 'openai', model: 'blind', able: ['chat'], unable: ['vision'], source: 'row', asOf: '2026-11-01' },
      { provider: 'openai', model: 'blind-too', able: ['chat'], unable: ['vision'], source: 'row', asOf: '2026-11-01' },
    ]),
  ),
};

/** One for every code there is. */
export const cases: { readonly [Code in DiagnosticCode]: Case } = {
  'syntax-error': { text: lines('{', '  "provider": "@openai-prod"', '  "retry": { "attempts": 2 }', '}') },
  'duplicate-key': {
    text: lines('{', '  "provider": "@openai-prod",', '  "request_timeout": 1000,', '  "request_timeout": 2000', '}'),
  },
  'wrong-file': { text: '{ "configs": "configs", "plugins": [] }' },
  'unknown-key': { text: lines('{', '  "provider": "@openai-prod",', '  "request_time_out": 100', '}') },
  'wrong-type': { text: lines('{', '  "provider": "@openai-prod",', '  "request_timeout": "30s"', '}') },
  'not-in-list': { text: group('loadbalanced', target) },
  'missing-key': { text: lines('{', '  "provider": "@openai-prod",', '  "retry": { "on_status_codes": [429] }', '}') },
  'out-of-range': { text: lines('{', '  "provider": "@openai-prod",', '  "retry": { "attempts": 6 }', '}') },
  'wrong-size': { text: guarded('input_guardrails', '{ "default.contains": { "words": [], "operator": "any" } }') },
  'wrong-form': { text: guarded('input_guardrails', '{ "test.choosy": { "code": "A1" } }') },
  'invalid-parameters': {
    text: guarded('input_guardrails', '{ "test.wordCount": { "minWords": 5, "maxWords": 3 } }'),
  },
  'no-valid-combination': { text: '{ "name": "prod" }' },
  'unknown-target': {
    text: conditional(`${when('{ "metadata.tier": "gold" }', 'carefull')}, ${when('{ "metadata.tier": "free" }')}`),
  },
  'ambiguous-target': {
    text: lines(
      '{',
      '  "strategy": {',
      '    "mode": "conditional",',
      '    "conditions": [{ "query": { "metadata.tier": "gold" }, "then": "slow" }],',
      '    "default": "fast"',
      '  },',
      '  "targets": [',
      '    { "name": "fast", "provider": "echo" },',
      '    { "name": "fast", "provider": "@openai-prod" },',
      '    { "name": "slow", "provider": "echo" }',
      '  ]',
      '}',
    ),
  },
  'missing-default': {
    text: conditional(`${when('{ "metadata.tier": "gold" }')}, ${when('{ "metadata.tier": "free" }', 'fast')}`, ''),
  },
  'missing-conditions': { text: conditional('') },
  'missing-targets': { text: lines('{', '  "strategy": { "mode": "fallback" },', '  "targets": []', '}') },
  'missing-strategy': {
    text: lines('{', '  "retry": { "attempts": 1 },', `  "targets": [${target}]`, '}'),
  },
  'unused-target': { text: conditional(when('{ "metadata.tier": "gold" }', 'fast')) },
  'unreachable-target': { text: group('fallback', '{ "provider": "echo" }', target) },
  'unreachable-condition': {
    text: conditional(
      `${when('{ "metadata.tier": { "$in": ["gold", "silver"] } }')}, ${when('{ "metadata.tier": "gold" }', 'fast')}`,
    ),
  },
  'constant-condition': { text: conditional(when('{}')) },
  'unknown-provider': { text: '{ "provider": "opnai", "api_key": "${env:OPENAI_API_KEY}" }' },
  'unsaved-settings': {
    text: lines(
      '{',
      '  "provider": "locker",',
      '  "forward_headers": ["x-locker-key"],',
      '  "custom_host": "https://locker.example/v1"',
      '}',
    ),
    without: ['{ "provider": "@openai-prod" }'],
  },
  'unknown-saved-provider': { text: '{ "provider": "@openai-prd" }' },
  'other-provider-model': {
    text: lines('{', '  "provider": "@openai-prod",', '  "override_params": { "model": "@azure-prod/gpt-4o" }', '}'),
  },
  'model-left-open': {
    text: lines(
      '{',
      '  "name": "fast",',
      '  "strategy": { "mode": "fallback" },',
      '  "targets": [',
      '    { "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } },',
      '    { "provider": "@openai-prod" }',
      '  ]',
      '}',
    ),
    virtualModels: { quick: 'config:fast' },
    without: [
      '{ "name": "fast", "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "name": "fast", "override_params": { "model": "@openai-prod/gpt-4o" } }',
      '{ "name": "other", "provider": "@openai-prod" }',
    ],
  },
  'unknown-virtual-key': { text: '{ "virtual_key": "team-b" }' },
  'unknown-guardrail': { text: guarded('input_guardrails', '"no-secret"') },
  'unknown-balance': {
    text: lines(
      '{',
      '  "strategy": { "mode": "loadbalance", "balance": "latncy" },',
      '  "targets": [{ "provider": "@openai-prod" }, { "provider": "@openai-prod", "name": "second" }]',
      '}',
    ),
  },
  'unknown-check': { text: guarded('input_guardrails', '{ "default.contain": { "words": ["x"] } }') },
  'unknown-prompt': {
    text: lines('{', '  "prompt_id": "greetings@prod",', '  "retry": { "attempts": 1 }', '}'),
    trust: 'saved',
    prompts,
    without: ['{ "prompt_id": "greeting@prod" }'],
  },
  'unusable-prompt': {
    text: '{ "prompt_id": "farewell" }',
    trust: 'saved',
    prompts,
    without: ['{ "prompt_id": "greeting@prod" }', '{ "prompt_id": "farewell", "provider": "@openai-prod" }'],
  },
  'no-stored-prompts': { text: '{ "prompt_id": "greeting" }' },
  'too-many-prompts': {
    text: group('fallback', ...references.map((reference) => `{ "prompt_id": "${reference}" }`)),
    trust: 'saved',
    prompts: { ...prompts, found: Object.fromEntries(references.map((reference) => [reference, greeting])) },
  },
  'feature-not-available': {
    text: lines('{', '  "provider": "@openai-prod",', '  "cache": { "mode": "semantic" }', '}'),
    catalogue: { ...testCatalogue, caches: new Map() },
  },
  'zero-weight': { text: group('loadbalance', '{ "provider": "@openai-prod", "weight": 0 }', target) },
  'negative-weight': { text: group('loadbalance', '{ "provider": "@openai-prod", "weight": -1 }', target) },
  'all-zero-weights': { text: group('loadbalance', '{ "provider": "@openai-prod", "weight": 0 }') },
  'uneven-weights': {
    text: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1.000000001 }',
      '{ "provider": "echo", "weight": 1e9 }',
    ),
  },
  'mixed-weights': {
    text: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 0.7 }',
      '{ "provider": "@azure-prod", "weight": 30 }',
    ),
    without: [
      group(
        'loadbalance',
        '{ "provider": "@openai-prod", "weight": 70 }',
        '{ "provider": "@azure-prod", "weight": 30 }',
      ),
    ],
  },
  'success-status': {
    text: lines(
      '{',
      '  "provider": "@openai-prod",',
      '  "retry": { "attempts": 2, "on_status_codes": [200, 429] }',
      '}',
    ),
  },
  'duplicate-item': { text: guarded('input_guardrails', '"no-secrets", "no-secrets"') },
  'impossible-status': {
    text: lines(
      '{',
      '  "provider": "@openai-prod",',
      '  "retry": { "attempts": 2, "on_status_codes": [429, 4290] }',
      '}',
    ),
  },
  'empty-trigger': {
    text: lines('{', '  "strategy": { "mode": "fallback", "on_status_codes": [] },', `  "targets": [${target}]`, '}'),
  },
  'retry-covers-nothing': {
    text: lines('{', '  "provider": "@openai-prod",', '  "retry": { "attempts": 2, "on_status_codes": [] }', '}'),
  },
  'unknown-fact': { text: conditional(when('{ "tier": "gold" }')) },
  'unknown-operator': { text: conditional(when('{ "metadata.tier": { "$equals": "gold" } }')) },
  'wrong-operand': { text: conditional(when('{ "params.max_tokens": { "$gt": "many" } }')) },
  'mixed-element-match': {
    text: conditional(when('{ "params.tools": { "$elemMatch": { "type": "function", "$exists": true } } }')),
    without: [
      conditional(when('{ "params.tools": { "$elemMatch": { "type": "function", "name": { "$exists": true } } } }')),
      conditional(when('{ "params.tools": { "$elemMatch": { "$or": [{ "type": "a" }, { "name": "b" }], "x": 1 } } }')),
      conditional(when('{ "params.stop": { "$elemMatch": { "$regex": "^END", "$ne": "END" } } }')),
    ],
  },
  'never-a-list': {
    text: conditional(when('{ "metadata.tags": { "$elemMatch": { "$eq": "beta" } } }')),
    without: [
      conditional(when('{ "metadata.tags": { "$exists": true } }')),
      conditional(when('{ "params.metadata.tags": { "$all": ["beta"] } }')),
      conditional(when('{ "params.messages": { "$elemMatch": { "metadata.tags": { "$size": 1 } } } }')),
    ],
  },
  'unlikely-list': {
    text: conditional(when('{ "params.model": { "$all": ["gpt-5.5"] } }')),
    without: [
      conditional(when('{ "params.stop": { "$size": 2 } }')),
      conditional(when('{ "params.mine": { "$all": ["gpt-5.5"] } }')),
    ],
  },
  'too-many-element-tests': {
    trust: 'caller',
    text: conditional(
      when(`{ "params.stop": { "$all": [${Array.from({ length: 21 }, (_, index) => index).join(', ')}] } }`),
    ),
    without: [
      conditional(
        when(`{ "params.stop": { "$all": [${Array.from({ length: 20 }, (_, index) => index).join(', ')}] } }`),
      ),
    ],
  },
  'empty-comparison': { text: conditional(when('{ "metadata.tier": {} }')) },
  'invalid-regex': { text: conditional(when('{ "metadata.tier": { "$regex": "^(?!gold)" } }')) },
  'slashed-pattern': {
    text: guarded(
      'input_guardrails',
      '{ "default.regexMatch": { "rule": "/secret\\\\/key/ig", "not": true }, "deny": true }',
    ),
    without: [
      guarded('input_guardrails', '{ "default.regexMatch": { "rule": "/admin/", "not": true }, "deny": true }'),
      guarded('input_guardrails', '{ "default.regexReplace": { "rule": "/secret/gi" } }'),
    ],
  },
  'unequal-type': { text: conditional(when('{ "params.stream": "true" }')) },
  'missing-provider': { text: group('fallback', target, '{ "retry": { "attempts": 1 } }') },
  'missing-credentials': { text: '{ "provider": "openai" }' },
  'empty-credential': { text: lines('{', '  "provider": "openai",', '  "api_key": ""', '}') },
  'mixed-credentials': { text: '{ "provider": "@openai-prod", "api_key": "${env:OTHER_KEY}" }' },
  'no-key-pool': {
    text: lines('{', '  "provider": "echo",', '  "keys": [{ "api_key": "${env:KEY_A}" }]', '}'),
    without: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "${env:KEY_B}" }] }'],
  },
  'accounts-without-keys': {
    text: '{ "provider": "@lone" }',
    providers: { lone: { provider: 'openai', credential: { api_key: '${env:LONE_KEY}' }, accounts: 'several' } },
  },
  'empty-pool-key': {
    text: '{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "" }] }',
  },
  'repeated-key': {
    text: '{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "${env:KEY_A}", "weight": 2 }] }',
  },
  'no-key-weight': {
    text: '{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}", "weight": 0 }] }',
  },
  'conflicting-spellings': {
    text: '{ "provider": "openai", "api_key": "${env:KEY}", "Authorization": "Bearer ${env:OTHER_KEY}" }',
    without: ['{ "provider": "openai", "api_key": "${env:KEY}", "Authorization": "Bearer ${env:KEY}" }'],
  },
  'authorization-scheme': {
    text: '{ "provider": "openai", "Authorization": "Basic dXNlcjpwYXNzd29yZA==" }',
    trust: 'caller',
    without: ['{ "provider": "openai", "Authorization": "bearer key" }'],
  },
  'inline-secret': { text: '{ "provider": "openai", "api_key": "sk-live-0123456789" }' },
  'credential-in-parameters': {
    text: '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "extra_headers": { "x-key": "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" } } }',
    without: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "user": "sk-or-v1-", "stop": ["AKIA", "A key such as 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"] } }',
    ],
  },
  'malformed-reference': { text: '{ "provider": "openai", "api_key": "${env:OPENAI-KEY}" }' },
  'misplaced-reference': {
    text: '{ "provider": "azure-openai", "api_key": "${env:KEY}", "resource_name": "${env:RESOURCE}", "api_version": "v1" }',
  },
  'unread-reference': {
    text: guarded('input_guardrails', '{ "default.contains": { "words": ["${env:WORD}"], "operator": "none" } }'),
  },
  'foreign-secret': { text: '{ "provider": "anthropic", "api_key": "${env:OPENAI_API_KEY}" }' },
  'reference-not-allowed': { trust: 'caller', text: '{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }' },
  'credential-origin-mismatch': {
    trust: 'caller',
    text: '{ "provider": "@openai-prod", "custom_host": "https://elsewhere.example/v1" }',
  },
  'invalid-custom-host': { text: '{ "provider": "openai", "custom_host": "models.example.com/v1" }' },
  'missing-deployment': {
    text: '{ "provider": "azure-openai", "api_key": "${env:AZURE_KEY}", "resource_name": "company" }',
  },
  'missing-version': { text: '{ "provider": "openai", "custom_host": "https://models.example.com" }' },
  'operation-in-host': {
    text: '{ "provider": "openai", "custom_host": "https://models.example.com/v1/chat/completions" }',
  },
  'clear-text-credential': {
    text: '{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "http://models.example.com/v1" }',
  },
  'replaced-credential': { text: '{ "provider": "@openai-prod", "forward_headers": ["authorization"] }' },
  'forwarded-credential': {
    text: lines(
      '{',
      '  "strategy": { "mode": "fallback" },',
      '  "forward_headers": ["authorization"],',
      '  "targets": [{ "provider": "openai" }, { "provider": "anthropic" }]',
      '}',
    ),
  },
  'missing-base-url': { text: '{ "provider": "azure-openai", "api_key": "${env:AZURE_KEY}", "api_version": "v1" }' },
  'wrong-phase': {
    text: lines(
      '{',
      '  "provider": "@openai-prod",',
      '  "override_params": { "stream": false },',
      '  "output_guardrails": [{ "test.requestOnly": {} }]',
      '}',
    ),
  },
  'replaced-guardrails': {
    text: lines(
      '{',
      '  "input_guardrails": ["no-secrets"],',
      '  "strategy": { "mode": "fallback" },',
      `  "targets": [${target}, { "provider": "@azure-prod", "input_guardrails": [{ "test.requestOnly": {} }] }]`,
      '}',
    ),
  },
  'contradicting-deny': {
    text: lines(
      '{',
      '  "provider": "@openai-prod",',
      '  "override_params": { "stream": false },',
      '  "output_guardrails": [',
      '    { "default.contains": { "words": ["x"], "operator": "none" }, "deny": true, "on_fail": { "deny": false } }',
      '  ]',
      '}',
    ),
  },
  'invalid-header-name': { text: '{ "provider": "@openai-prod", "forward_headers": ["x-team: a"] }' },
  'unlikely-duration': { text: '{ "provider": "@openai-prod", "request_timeout": 30 }' },
  'unlikely-parameter': { text: '{ "provider": "@openai-prod", "override_params": { "temperature": 3 } }' },
  'unknown-parameter': { text: '{ "provider": "@openai-prod", "override_params": { "max_token": 100 } }' },
  'setting-not-carried': {
    text: lines('{', '  "virtual_key": "team-a",', '  "override_params": { "seed": 1 }', '}'),
    without: [
      '{ "provider": "@openai-prod", "override_params": { "seed": 1, "n": 2, "logprobs": true } }',
      '{ "virtual_key": "team-a", "override_params": { "top_k": 5, "stop": "END", "temperature": 2, "n": 1 } }',
      '{ "virtual_key": "team-a", "custom_host": "https://claude.example.com/v1", "override_params": { "seed": 1 } }',
      '{ "provider": "@openai-prod", "override_params": { "top_k": 5, "thinking": { "type": "disabled" } } }',
      '{ "provider": "ollama", "custom_host": "http://127.0.0.1:11434/v1", "override_params": { "keep_alive": 5 } }',
    ],
  },
  'closed-provider': {
    text: '{ "provider": "lambda", "api_key": "${env:KEY}" }',
    without: [
      '{ "provider": "lambda", "api_key": "${env:KEY}", "custom_host": "https://lambda.example.com/v1" }',
      '{ "provider": "groq", "api_key": "${env:KEY}" }',
    ],
  },
  'deprecated-model': {
    text: '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-9" } }',
    models: {
      today: '2026-11-24',
      find: indexFacts(
        joinFacts([
          { provider: 'openai', model: 'gpt-9', deprecated: '2027-02-22', source: 'row', asOf: '2026-11-01' },
          { provider: 'openai', model: 'gpt-10', deprecated: '2027-02-23', source: 'row', asOf: '2026-11-01' },
        ]),
      ),
    },
    without: [
      // A day later than the notice.
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-10" } }',
      // Another host may keep it.
      '{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "https://models.example.com/v1", "override_params": { "model": "gpt-9" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}" }',
    ],
  },
  'unknown-abilities': {
    text: requiring('"own-1"', '"own-2"'),
    models: {
      today: '2026-11-24',
      find: indexFacts(
        joinFacts([
          { provider: 'openai', model: 'own-2', prices: 'genai-prices', source: 'table', asOf: '2026-11-01' },
          { provider: 'openai', model: 'seeing', able: ['chat', 'vision'], source: 'row', asOf: '2026-11-01' },
          { provider: 'openai', model: 'blind', unable: ['vision'], source: 'row', asOf: '2026-11-01' },
          { provider: 'openai', model: 'short', context: 1000, source: 'row', asOf: '2026-11-01' },
        ]),
      ),
    },
    without: [
      requiring('"own-1"', '"blind"'),
      requiring('"own-1"', '"short"'),
      // Which model that is, only its requests say.
      `{ "strategy": { "mode": "fallback", "require": "capabilities" }, "targets": [${target}, ${target}] }`,
    ],
  },
  'foreign-model': { text: '{ "provider": "@openai-prod", "override_params": { "model": "claude-sonnet-4-5" } }' },
  'model-not-allowed': {
    text: '{ "provider": "@limited/gpt-5" }',
    providers: { limited: { provider: 'openai', credential: { api_key: '${env:KEY}' }, models: { only: ['gpt-4o'] } } },
    without: ['{ "provider": "@limited/gpt-4o" }', '{ "provider": "@limited" }'],
  },
  'mixed-embedding-models': {
    text: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "text-embedding-3-small" } }',
      '{ "provider": "google", "api_key": "${env:KEY}", "override_params": { "model": "gemini-embedding-001" } }',
    ),
    without: [
      // One model of several names.
      group(
        'fallback',
        '{ "provider": "cohere", "api_key": "${env:KEY}", "override_params": { "model": "embed-english-v3.0" } }',
        '{ "provider": "bedrock", "api_key": "${env:KEY}", "override_params": { "model": "us.cohere.embed-english-v3" } }',
      ),
      group(
        'loadbalance',
        '{ "provider": "ollama", "override_params": { "model": "nomic-embed-text" } }',
        '{ "provider": "nomic", "api_key": "${env:KEY}", "override_params": { "model": "nomic-embed-text-v1.5" } }',
      ),
      // The name of a deployment, and one at another host, are whatever their owner likes.
      group(
        'fallback',
        '{ "provider": "@openai-prod", "override_params": { "model": "text-embedding-3-small" } }',
        '{ "provider": "vllm", "custom_host": "https://vllm.example.com/v1", "override_params": { "model": "our-embedder" } }',
      ),
      // Models that converse.
      group(
        'fallback',
        '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
        '{ "provider": "google", "api_key": "${env:KEY}", "override_params": { "model": "gemini-2.5-pro" } }',
      ),
    ],
  },
  'inherited-model': {
    text: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "virtual_key": "team-a" }',
    ),
  },
  'nested-too-deep': { text: nested },
  'too-many-targets': { text: group('fallback', ...Array.from({ length: 101 }, () => target)) },
  'config-too-large': {
    trust: 'caller',
    text: lines(
      '{',
      '  "strategy": { "mode": "fallback" },',
      `  "input_guardrails": [${Array.from({ length: 19 }, () => '{ "default.contains": { "words": ["a"], "operator": "none" } }').join(', ')}],`,
      `  "targets": [${Array.from({ length: 99 }, () => target).join(', ')}]`,
      '}',
    ),
  },
  'patterns-too-large': {
    trust: 'caller',
    text: guarded(
      'input_guardrails',
      ['a', 'b', 'c', 'd']
        .map((letter) => `{ "default.regexMatch": { "rule": "${letter}{1000}${letter}{1000}${letter}{900}" } }`)
        .join(', '),
    ),
  },
  'setting-of-root': {
    text: group('fallback', '{ "provider": "@openai-prod", "deadline_ms": 5000 }'),
    without: [
      lines(
        '{',
        '  "provider": "@openai-prod",',
        '  "deadline_ms": 5000,',
        '  "max_cost_usd": 0.5,',
        '  "request_timeout": 60000',
        '}',
      ),
    ],
  },
  'not-portable': {
    text: '{ "provider": "@openai-prod", "deadline_ms": 5000 }',
    portable: true,
    without: ['{ "provider": "@openai-prod", "request_timeout": 5000 }'],
  },
  'mirror-of-group': {
    text: mirror('{ "strategy": { "mode": "fallback" }, "targets": [{ "provider": "@azure-prod" }] }'),
  },
  'mirror-setting': {
    text: mirror('{ "provider": "@azure-prod", "retry": { "attempts": 2 } }'),
    without: [mirror('{ "provider": "@azure-prod", "request_timeout": 5000 }')],
  },
  'mirror-credential': {
    trust: 'caller',
    text: mirror('{ "provider": "@azure-prod" }'),
    without: [mirror('{ "provider": "openai", "api_key": "sk-of-the-caller" }')],
  },
  'mirror-of-itself': {
    text: mirror('{ "provider": "@openai-prod" }'),
    without: [mirror('{ "provider": "@openai-prod", "override_params": { "model": "gpt-5.5-mini" } }')],
  },
  'unknown-mirror-check': {
    text: mirror('{ "provider": "@azure-prod" }', '["simlar"]'),
    without: [mirror('{ "provider": "@azure-prod" }', '["similar"]')],
  },
  'nothing-to-compare': {
    text: guarded('output_guardrails', '{ "default.similar": { "threshold": 0.8 } }'),
    without: [mirror('{ "provider": "@azure-prod" }', '[{ "default.similar": { "threshold": 0.8 } }]')],
  },
  'no-effect': { text: '{ "provider": "@openai-prod", "weight": 2 }' },
  'capability-gap': {
    text: fallingBack('seeing', 'blind'),
    models: abilities,
    without: [
      fallingBack('blind', 'seeing'),
      fallingBack('blind', 'blind-too'),
      // Of a model nothing is known, and of another only what it can.
      fallingBack('seeing', 'own-model'),
      fallingBack('seeing', 'seeing-too'),
      fallingBack('seeing', 'blind').replace('"fallback"', '"fallback", "require": "capabilities"'),
      // Not in the same requests.
      conditional(when('{ "metadata.tier": "gold" }')),
    ],
  },
  'never-continued': {
    text: lines(
      '{',
      '  "strategy": { "mode": "fallback", "continue": true },',
      '  "targets": [',
      '    { "provider": "@openai-prod" },',
      '    {',
      '      "provider": "@openai-prod", "override_params": { "model": "gpt-5.5-mini" },',
      '      "output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" }, "deny": true }]',
      '    }',
      '  ]',
      '}',
    ),
    without: [
      lines(
        '{',
        '  "strategy": { "mode": "fallback", "continue": true },',
        '  "targets": [',
        '    { "provider": "@openai-prod" },',
        '    {',
        '      "provider": "@openai-prod", "override_params": { "model": "gpt-5.5-mini" },',
        '      "output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" } }]',
        '    }',
        '  ]',
        '}',
      ),
    ],
  },
  'late-hedge': {
    text: lines(
      '{',
      '  "strategy": { "mode": "fallback", "hedge": { "after_ms": 5000 } },',
      '  "targets": [',
      '    { "provider": "@openai-prod", "request_timeout": 5000 },',
      '    { "virtual_key": "team-a" }',
      '  ]',
      '}',
    ),
    without: [
      lines(
        '{',
        '  "strategy": { "mode": "fallback", "hedge": { "after_ms": 5000 } },',
        '  "targets": [',
        '    { "provider": "@openai-prod", "request_timeout": 5000, "retry": { "attempts": 1 } },',
        '    { "virtual_key": "team-a", "request_timeout": 1000 }',
        '  ]',
        '}',
      ),
    ],
  },
  'no-circuits': {
    text: lines('{', '  "provider": "@openai-prod",', '  "breaker": { "by": ["model", "error"] }', '}'),
    without: [
      lines(
        '{',
        '  "strategy": { "mode": "fallback" },',
        '  "breaker": { "by": ["model"] },',
        '  "targets": [',
        '    { "provider": "@openai-prod" },',
        '    { "provider": "@azure-prod", "cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 } }',
        '  ]',
        '}',
      ),
    ],
  },
  'operators-setting': {
    text: lines(
      '{',
      '  "provider": "openai",',
      '  "api_key": "sk-1",',
      '  "cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 },',
      '  "probe": { "path": "/models" }',
      '}',
    ),
    trust: 'caller',
  },
  'no-vectors': {
    text: lines('{', '  "provider": "@openai-prod",', '  "cache": { "mode": "semantic" }', '}'),
    makesVectors: false,
    without: ['{ "provider": "@openai-prod", "cache": { "mode": "simple" } }'],
  },
  'header-not-forwarded': {
    text: lines('{', '  "provider": "@openai-prod",', '  "forward_headers": ["x-request-id", "x-gw-api-key"]', '}'),
  },
};
