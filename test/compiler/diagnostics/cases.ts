import type { KnownModels } from '../../../compiler/compile-options.ts';
import { config, group as exampleGroup, routed } from '../../../compiler/diagnostics/examples/example-configs.ts';
import type { DiagnosticCode } from '../../../compiler/diagnostics/table.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { maxNamedPrompts } from '../../../schema/config/named-prompts.ts';
import type { Saved, SavedPrompt, SavedPrompts } from '../../../schema/config/saved.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import type { FindUntrusted } from '../../../schema/http/is-trusted.ts';
import { indexFacts } from '../../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../../schema/model-facts/join-facts.ts';
import { testCatalogue } from '../../support/plans/catalogue.ts';

/** A config with exactly one mistake, and the context that it is compiled in. */
export interface Case {
  /** Defaults to the wrong example of the code. */
  readonly text?: string;
  readonly trust?: Trust;
  /** The prompts that `prompt_id` can name. Without them there is no store. */
  readonly prompts?: SavedPrompts;
  /** Saved providers in addition to those of all tests. */
  readonly providers?: Saved['providers'];
  /** The virtual models of the gateway file. Default: none. */
  readonly virtualModels?: Saved['models'];
  /** The labels that the gateway file declares. Default: none. */
  readonly labels?: Saved['labels'];
  /** The loaded plugins. Default: those of all tests. */
  readonly catalogue?: Catalogue;
  /** The known facts about models. Default: none. */
  readonly models?: KnownModels;
  /** Whether the gateway can create embeddings. Unknown if absent. */
  readonly makesVectors?: boolean;
  /** Returns why nothing is sent to the host of a URL. Without it, no gateway file is known. */
  readonly findUntrusted?: FindUntrusted;
  /** Whether the config must be readable by other gateways. */
  readonly portable?: boolean;
  /** Similar configs for which the code must not be reported. */
  readonly without?: readonly string[];
}

const lines = (...text: readonly string[]): string => text.join('\n');

const group = (mode: string, ...targets: readonly string[]): string => lines(...exampleGroup(mode, ...targets));

const conditional = (conditions: string, rest = '"default": "fast"'): string =>
  lines(...routed([conditions === '' ? '' : `"conditions": [${conditions}]`, rest].filter((part) => part !== '')));

const when = (query: string, then = 'careful'): string => `{ "query": ${query}, "then": "${then}" }`;

const guarded = (field: string, guardrail: string): string =>
  lines(...config('"provider": "@openai-prod"', `"${field}": [${guardrail}]`));

const mirror = (target: string, checks?: string): string => {
  const further = checks === undefined ? '' : `, "checks": ${checks}`;
  return lines(...config('"provider": "@openai-prod"', `"mirror": { "target": ${target}, "percent": 5${further} }`));
};

const target = '{ "provider": "@openai-prod" }';
const other = '{ "provider": "@azure-prod" }';
const requiring = (...models: readonly string[]): string =>
  lines(
    '{',
    '  "strategy": { "mode": "fallback", "require": "capabilities" },',
    '  "targets": [',
    models.map((model) => `    { "provider": "@openai-prod", "override_params": { "model": ${model} } }`).join(',\n'),
    '  ]',
    '}',
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

/** The codes whose example needs more than an operator's file, or that are not reported for some similar configs. */
export const cases: { readonly [Code in DiagnosticCode]?: Case } = {
  'overlapping-conditions': {
    without: [
      ['{ "metadata.tier": "gold" }', '{ "metadata.region": "eu" }'],
      ['{ "metadata.tier": "gold" }', '{ "metadata.tier": { "$in": ["gold", "free"] } }'],
      ['{ "params.n": { "$lte": 10 } }', '{ "params.n": { "$gte": 10 } }'],
      ['{ "params.n": { "$gt": 10 } }', '{ "params.n": { "$gt": 5 } }'],
      ['{ "params.model": { "$regex": "^gpt" } }', '{ "params.model": { "$regex": "mini" } }'],
    ].map(([first = '', second = '']) => conditional(`${when(first)}, ${when(second, 'fast')}`)),
  },
  'unsaved-settings': {
    without: ['{ "provider": "@openai-prod" }'],
  },
  'model-left-open': {
    virtualModels: { quick: 'config:fast' },
    without: [
      '{ "name": "fast", "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "name": "fast", "override_params": { "model": "@openai-prod/gpt-4o" } }',
      '{ "name": "other", "provider": "@openai-prod" }',
    ],
  },
  'unknown-prompt': {
    trust: 'saved',
    prompts,
    without: ['{ "prompt_id": "greeting@prod" }'],
  },
  'unusable-prompt': {
    trust: 'saved',
    prompts,
    without: ['{ "prompt_id": "greeting@prod" }', '{ "prompt_id": "farewell", "provider": "@openai-prod" }'],
  },
  'too-many-prompts': {
    trust: 'saved',
    prompts: { ...prompts, found: Object.fromEntries(references.map((reference) => [reference, greeting])) },
  },
  'feature-not-available': {
    catalogue: { ...testCatalogue, caches: new Map() },
  },
  'mixed-weights': {
    without: [
      group(
        'loadbalance',
        '{ "provider": "@openai-prod", "weight": 70 }',
        '{ "provider": "@azure-prod", "weight": 30 }',
      ),
    ],
  },
  'forgotten-weight': {
    without: [
      group('loadbalance', '{ "provider": "@openai-prod", "weight": 2 }', '{ "provider": "@azure-prod" }'),
      group('loadbalance', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
      group('loadbalance', '{ "provider": "@openai-prod", "weight": 0 }', '{ "provider": "@azure-prod" }'),
    ],
  },
  'one-target': {
    without: [group('single', target), group('fallback', target, other), conditional(when('{ "metadata.a": "b" }'))],
  },
  'equal-targets': {
    without: [
      group('fallback', target, other),
      group('fallback', target, '{ "provider": "@openai-prod", "override_params": { "model": "gpt-5.5" } }'),
      group('loadbalance', target, '{ "provider": "@openai-prod", "custom_host": "https://models.example.com/v1" }'),
    ],
  },
  'repeated-name': {
    without: [
      // A group and a target may share a name, which then refers to the target.
      group(
        'fallback',
        `{ "name": "main", "strategy": { "mode": "single" }, "targets": [{ "name": "main", "provider": "echo" }] }`,
        other,
      ),
      // An empty name does not count.
      group('fallback', '{ "name": "", "provider": "@openai-prod" }', '{ "name": "", "provider": "@azure-prod" }'),
    ],
  },
  'one-way': {
    without: [conditional(`${when('{ "metadata.a": "b" }')}, ${when('{ "metadata.a": "c" }', 'fast')}`)],
  },
  'mixed-element-match': {
    without: [
      conditional(when('{ "params.tools": { "$elemMatch": { "type": "function", "name": { "$exists": true } } } }')),
      conditional(when('{ "params.tools": { "$elemMatch": { "$or": [{ "type": "a" }, { "name": "b" }], "x": 1 } } }')),
      conditional(when('{ "params.stop": { "$elemMatch": { "$regex": "^END", "$ne": "END" } } }')),
    ],
  },
  'never-a-list': {
    without: [
      conditional(when('{ "metadata.tags": { "$exists": true } }')),
      conditional(when('{ "params.metadata.tags": { "$all": ["beta"] } }')),
      conditional(when('{ "params.messages": { "$elemMatch": { "metadata.tags": { "$size": 1 } } } }')),
    ],
  },
  'unlikely-list': {
    without: [
      conditional(when('{ "params.stop": { "$size": 2 } }')),
      conditional(when('{ "params.mine": { "$all": ["gpt-5.5"] } }')),
    ],
  },
  'too-many-element-tests': {
    trust: 'caller',
    without: [
      conditional(
        when(`{ "params.stop": { "$all": [${Array.from({ length: 20 }, (_, index) => index).join(', ')}] } }`),
      ),
    ],
  },
  'slashed-pattern': {
    without: [
      guarded('input_guardrails', '{ "default.regexMatch": { "rule": "/admin/", "not": true }, "deny": true }'),
      guarded('input_guardrails', '{ "default.regexReplace": { "rule": "/secret/gi" } }'),
    ],
  },
  'unread-glob': {
    without: [
      conditional(when('{ "params.model": { "$regex": "^gpt-4o*" }, "metadata.note": "a * b" }')),
      conditional(when('{ "params.model": { "$regex": "gpt-.*mini" }, "metadata.price": "5$ off" }')),
    ],
  },
  'matches-any-text': {
    without: [
      conditional(when('{ "metadata.tier": { "$regex": "^(gold)?$" } }')),
      conditional(when('{ "metadata.tier": { "$regex": "." } }')),
    ],
  },
  'matches-no-text': {
    without: [
      conditional(when('{ "metadata.tier": { "$regex": "^gold|free$" } }')),
      conditional(when('{ "metadata.tier": { "$regex": "\\\\bgold\\\\b" } }')),
    ],
  },
  'undeclared-label': {
    labels: { plan: { enum: ['free', 'gold'] } },
    without: [conditional(when('{ "metadata._user": "alice", "metadata.plan": "gold", "params.paln": 1 }'))],
  },
  'undeclared-value': {
    labels: { plan: { enum: ['free', 'gold'] }, team: { pattern: '^[a-z]+$' }, seats: { type: 'integer', minimum: 1 } },
    without: [
      conditional(when('{ "metadata.plan": { "$regex": "^g" }, "metadata.team": "blue", "metadata.seats": 5 }')),
      conditional(when('{ "metadata.seats": { "$gt": 100 }, "metadata.team": { "$ne": "red" } }')),
    ],
  },
  'no-key-pool': {
    without: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "${env:KEY_B}" }] }'],
  },
  'accounts-without-keys': {
    providers: { lone: { provider: 'openai', credential: { api_key: '${env:LONE_KEY}' }, accounts: 'several' } },
  },
  'conflicting-spellings': {
    without: ['{ "provider": "openai", "api_key": "${env:KEY}", "Authorization": "Bearer ${env:KEY}" }'],
  },
  'authorization-scheme': {
    trust: 'caller',
    without: ['{ "provider": "openai", "Authorization": "bearer key" }'],
  },
  'credential-in-parameters': {
    without: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "user": "sk-or-v1-", "stop": ["AKIA", "A key such as 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"] } }',
    ],
  },
  'reference-not-allowed': { trust: 'caller' },
  'credential-origin-mismatch': {
    trust: 'caller',
  },
  'setting-not-carried': {
    without: [
      '{ "provider": "@openai-prod", "override_params": { "seed": 1, "n": 2, "logprobs": true } }',
      '{ "virtual_key": "team-a", "override_params": { "top_k": 5, "stop": "END", "temperature": 2, "n": 1 } }',
      '{ "virtual_key": "team-a", "custom_host": "https://claude.example.com/v1", "override_params": { "seed": 1 } }',
      '{ "provider": "@openai-prod", "override_params": { "top_k": 5, "thinking": { "type": "disabled" } } }',
      '{ "provider": "ollama", "custom_host": "http://127.0.0.1:11434/v1", "override_params": { "keep_alive": 5 } }',
    ],
  },
  'setting-out-of-range': {
    without: [
      '{ "virtual_key": "team-a", "override_params": { "temperature": 1, "top_p": 1 } }',
      '{ "provider": "@openai-prod", "override_params": { "temperature": 1.5 } }',
    ],
  },
  'replaced-prompt': {
    without: [
      '{ "provider": "@openai-prod", "override_params": { "prompt": { "id": "p" }, "instructions": "Be kind." } }',
    ],
  },
  'prefixed-model': {
    without: [
      '{ "provider": "@openai-prod", "override_params": { "model": "gpt-5.5" } }',
      '{ "provider": "@openai-prod", "custom_host": "https://a.example.com/v1", "override_params": { "model": "openai/gpt-5.5" } }',
    ],
  },
  'repeated-version': {
    without: [
      '{ "provider": "cohere", "api_key": "${env:COHERE_KEY}", "custom_host": "https://models.example.com" }',
      '{ "provider": "@openai-prod", "custom_host": "https://models.example.com/openai/v1" }',
    ],
  },
  'closed-provider': {
    without: [
      '{ "provider": "lambda", "api_key": "${env:KEY}", "custom_host": "https://lambda.example.com/v1" }',
      '{ "provider": "groq", "api_key": "${env:KEY}" }',
    ],
  },
  'misspelt-model': {
    models: {
      today: '2026-11-24',
      find: indexFacts(
        joinFacts(
          ['text-embedding-3-small', 'gpt-4o-mini', 'gpt-5', 'gpt-image-1', 'sora-2'].map((model) => ({
            ...{ provider: 'openai', model, source: 'row', asOf: '2026-11-01' },
          })),
        ),
      ),
    },
    without: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embedding-4-small" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-5o" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-4o-nano" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-6" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "sara-2-pro" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embedding-3-small" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embeding-3-small" }, "custom_host": "https://models.example.com/v1" }',
    ],
  },
  'deprecated-model': {
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
      // One day after the period of notice.
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-10" } }',
      // Another host may keep the model.
      '{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "https://models.example.com/v1", "override_params": { "model": "gpt-9" } }',
      '{ "provider": "openai", "api_key": "${env:KEY}" }',
    ],
  },
  'unknown-abilities': {
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
      // Only the requests specify the model.
      `{ "strategy": { "mode": "fallback", "require": "capabilities" }, "targets": [${target}, ${target}] }`,
    ],
  },
  'model-not-allowed': {
    providers: { limited: { provider: 'openai', credential: { api_key: '${env:KEY}' }, models: { only: ['gpt-4o'] } } },
    without: ['{ "provider": "@limited/gpt-4o" }', '{ "provider": "@limited" }'],
  },
  'unjudged-answers': {
    without: [
      // The other target answers with text.
      lines(
        ...config(
          '"output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" } }]',
          '"strategy": { "mode": "conditional", "conditions": [{ "query": { "url.pathname": "/v1/embeddings" }, "then": "vectors" }], "default": "texts" }',
          '"targets": [{ "name": "vectors", "provider": "@openai-prod", "override_params": { "model": "text-embedding-3-small" } }, { "name": "texts", "provider": "@openai-prod" }]',
        ),
      ),
      // The owner of a host may use any name.
      lines(
        ...config(
          '"provider": "vllm"',
          '"custom_host": "https://vllm.example.com/v1"',
          '"override_params": { "model": "our-embed" }',
          '"output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" } }]',
        ),
      ),
    ],
  },
  'mixed-embedding-models': {
    without: [
      // One model with several names.
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
      // The names of deployments, and of models at another host, are chosen by their owners.
      group(
        'fallback',
        '{ "provider": "@openai-prod", "override_params": { "model": "text-embedding-3-small" } }',
        '{ "provider": "vllm", "custom_host": "https://vllm.example.com/v1", "override_params": { "model": "our-embedder" } }',
      ),
      // Chat models.
      group(
        'fallback',
        '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
        '{ "provider": "google", "api_key": "${env:KEY}", "override_params": { "model": "gemini-2.5-pro" } }',
      ),
    ],
  },
  'config-too-large': {
    trust: 'caller',
  },
  'patterns-too-large': {
    trust: 'caller',
  },
  'setting-of-root': {
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
    portable: true,
    without: ['{ "provider": "@openai-prod", "request_timeout": 5000 }'],
  },
  'mirror-setting': {
    without: [mirror('{ "provider": "@azure-prod", "request_timeout": 5000 }')],
  },
  'mirror-credential': {
    trust: 'caller',
    without: [mirror('{ "provider": "openai", "api_key": "sk-of-the-caller" }')],
  },
  'mirror-of-itself': {
    without: [mirror('{ "provider": "@openai-prod", "override_params": { "model": "gpt-5.5-mini" } }')],
  },
  'unknown-mirror-check': {
    without: [mirror('{ "provider": "@azure-prod" }', '["similar"]')],
  },
  'requests-only': {
    without: [
      '{ "provider": "@openai-prod", "output_guardrails": [{ "default.pii": { "action": "redact" } }] }',
      '{ "provider": "@openai-prod", "output_guardrails": [{ "default.pii": {} }] }',
    ],
  },
  'nothing-to-compare': {
    without: [mirror('{ "provider": "@azure-prod" }', '[{ "default.similar": { "threshold": 0.8 } }]')],
  },
  'never-continued': {
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
  'late-retries': {
    without: [
      lines('{', '  "provider": "@openai-prod",', '  "deadline_ms": 5000,', '  "retry": { "attempts": 3 }', '}'),
    ],
  },
  'late-hedge': {
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
    trust: 'caller',
  },
  'no-vectors': {
    makesVectors: false,
    without: ['{ "provider": "@openai-prod", "cache": { "mode": "simple" } }'],
  },
  'untrusted-host': {
    findUntrusted: (url) => (url.includes('//10.') ? 'the address is not public.' : undefined),
  },
  'capability-gap': {
    models: abilities,
    without: [
      fallingBack('blind', 'seeing'),
      fallingBack('blind', 'blind-too'),
      // Nothing is known about one model, and only abilities about the other.
      fallingBack('seeing', 'own-model'),
      fallingBack('seeing', 'seeing-too'),
      fallingBack('seeing', 'blind').replace('"fallback"', '"fallback", "require": "capabilities"'),
      // The branches do not serve the same requests.
      conditional(when('{ "metadata.tier": "gold" }')),
    ],
  },
};
