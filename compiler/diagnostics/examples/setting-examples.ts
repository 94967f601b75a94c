import type { settingDiagnostics } from '../table/setting-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group, listed, nested, repeated, routed, withTargets } from './example-configs.ts';

/** Settings, guardrails and parameters. */
export const settingExamples: { readonly [Code in keyof typeof settingDiagnostics]: CodeExample } = {
  'wrong-phase': {
    cause: 'The check reads requests or answers, and stands in the list of the other.',
    remedy: 'Move it to the list that the hint names.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"override_params": { "stream": false }',
      '"output_guardrails": [{ "default.requiredMetadataKeys": { "metadataKeys": ["team"] } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"override_params": { "stream": false }',
      '"input_guardrails": [{ "default.requiredMetadataKeys": { "metadataKeys": ["team"] } }]',
    ),
  },
  'replaced-guardrails': {
    cause:
      'A list of guardrails replaces the inherited one, so that checks which hold for all other targets do not run here.',
    remedy: 'Repeat the inherited guardrails in the list of this target.',
    wrong: config(
      '"input_guardrails": ["no-secrets"]',
      '"strategy": { "mode": "fallback" }',
      '"targets": [{ "provider": "@openai-prod" }, { "provider": "@azure-prod", "input_guardrails": [{ "default.requiredMetadataKeys": { "metadataKeys": ["team"] } }] }]',
    ),
    right: withTargets(
      ['"input_guardrails": ["no-secrets"]', '"strategy": { "mode": "fallback" }'],
      '{ "provider": "@openai-prod" }',
      '{ "provider": "@azure-prod", "input_guardrails": ["no-secrets", { "default.requiredMetadataKeys": { "metadataKeys": ["team"] } }] }',
    ),
  },
  'contradicting-deny': {
    cause: 'Two settings say the opposite about a check that fails, and the first one holds.',
    remedy: 'Keep one of them.',
    wrong: [
      '{',
      '  "provider": "@openai-prod",',
      '  "override_params": { "stream": false },',
      '  "output_guardrails": [',
      '    { "default.contains": { "words": ["x"], "operator": "none" }, "deny": true, "on_fail": { "deny": false } }',
      '  ]',
      '}',
    ],
    right: config(
      '"provider": "@openai-prod"',
      '"override_params": { "stream": false }',
      '"output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" }, "deny": true }]',
    ),
  },
  'nested-too-deep': {
    cause: 'The depth of configs is bounded, so that each can be read and run in bounded time.',
    remedy: 'Put groups side by side, or split the config.',
    wrong: nested(11),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'too-many-targets': {
    cause: 'The number of targets is bounded, so that each config can be held and run in bounded time.',
    remedy: 'Remove targets, or split the config.',
    wrong: repeated(
      'fallback',
      101,
      (index) => `{ "provider": "@openai-prod", "override_params": { "seed": ${index} } }`,
    ),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'config-too-large': {
    cause: 'A config of a request is compiled while other requests wait, so that its size is bounded.',
    remedy: 'Make it smaller, or have the operator save it.',
    wrong: [
      '{',
      '  "strategy": { "mode": "fallback" },',
      `  "input_guardrails": [${listed(19, '{ "default.contains": { "words": ["a"], "operator": "none" } }')}],`,
      `  "targets": [${listed(99, '{ "provider": "@openai-prod" }')}]`,
      '}',
    ],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'patterns-too-large': {
    cause: 'Patterns of a request are compiled while other requests wait, so that their size is bounded.',
    remedy: 'Use smaller patterns, or have the operator save the config.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.regexMatch": { "rule": "a{1000}a{1000}a{900}" } }, { "default.regexMatch": { "rule": "b{1000}b{1000}b{900}" } }, { "default.regexMatch": { "rule": "c{1000}c{1000}c{900}" } }, { "default.regexMatch": { "rule": "d{1000}d{1000}d{900}" } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.regexMatch": { "rule": "a{1,10}" } }]',
    ),
  },
  'too-many-element-tests': {
    cause:
      'Tests of the elements of lists take time for each element, so that their number is bounded in a config of a request.',
    remedy: 'Use fewer of them, or have the operator save the config.',
    wrong: routed([
      '"conditions": [{ "query": { "params.stop": { "$all": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "params.stop": { "$all": ["END"] } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'setting-of-root': {
    cause: 'The setting is about a whole request, which a target does not have alone.',
    remedy: 'Move it to the root of the config.',
    wrong: group('fallback', '{ "provider": "@openai-prod", "deadline_ms": 5000 }', '{ "provider": "@azure-prod" }'),
    right: config(
      '"provider": "@openai-prod"',
      '"deadline_ms": 5000',
      '"max_cost_usd": 0.5',
      '"request_timeout": 60000',
    ),
  },
  'not-portable': {
    cause: 'Other gateways for this format would refuse the config, or ignore the setting.',
    remedy: 'Leave it out, or check without --portable.',
    wrong: ['{ "provider": "@openai-prod", "deadline_ms": 5000 }'],
    right: ['{ "provider": "@openai-prod", "request_timeout": 5000 }'],
  },
  'mirror-of-group': {
    cause: 'A copy is one call, of which the answer is only compared.',
    remedy: 'Name one provider as the target of the mirror.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "strategy": { "mode": "fallback" }, "targets": [{ "provider": "@azure-prod" }] }, "percent": 5 }',
    ),
    right: config('"provider": "@openai-prod"', '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5 }'),
  },
  'mirror-setting': {
    cause: 'A copy is one call in the background, to which the setting does not apply.',
    remedy: 'Remove the setting from the target of the mirror.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@azure-prod", "retry": { "attempts": 2 } }, "percent": 5 }',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@azure-prod", "request_timeout": 5000 }, "percent": 5 }',
    ),
  },
  'mirror-credential': {
    cause: 'Copies of requests cost money that the caller of a config does not pay.',
    remedy: 'Bring a key for the target of the mirror, or have the operator save the config.',
    wrong: config('"provider": "@openai-prod"', '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5 }'),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "openai", "api_key": "sk-of-the-caller" }, "percent": 5 }',
    ),
  },
  'mirror-of-itself': {
    cause: 'A copy that calls the same model with the same settings shows nothing.',
    remedy: 'Name another provider or model as the target of the mirror.',
    wrong: config('"provider": "@openai-prod"', '"mirror": { "target": { "provider": "@openai-prod" }, "percent": 5 }'),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@openai-prod", "override_params": { "model": "gpt-5.4-mini" } }, "percent": 5 }',
    ),
  },
  'unknown-mirror-check': {
    cause: 'What is not known by this name cannot judge the answers of the mirror.',
    remedy: 'Correct the spelling, or save the guardrail.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5, "checks": ["simlar"] }',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5, "checks": ["similar"] }',
    ),
  },
  'nothing-to-compare': {
    cause: 'The check compares the answers of a mirror with those of clients, and here there is only one answer.',
    remedy: 'Move it to the "checks" of a mirror.',
    wrong: config('"provider": "@openai-prod"', '"output_guardrails": [{ "default.similar": { "threshold": 0.8 } }]'),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5, "checks": [{ "default.similar": { "threshold": 0.8 } }] }',
    ),
  },
  'requests-only': {
    cause:
      'A placeholder in a request is replaced by its value in the answer. In an answer itself there is nobody else to give the value to, so that the check only redacts.',
    remedy: 'Write "redact" where answers are checked, or move the check to "input_guardrails".',
    wrong: config(
      '"provider": "@openai-prod"',
      '"output_guardrails": [{ "default.pii": { "action": "redact-reversibly" } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.pii": { "action": "redact-reversibly" } }]',
    ),
  },
  'no-effect': {
    cause: 'Nothing reads the setting where it stands, so that it was probably meant elsewhere.',
    remedy: 'Move it to where the hint says, or remove it.',
    wrong: ['{ "provider": "@openai-prod", "weight": 2 }'],
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 2 }',
      '{ "provider": "@azure-prod", "weight": 1 }',
    ),
  },
  'late-hedge': {
    cause: 'The first target has ended by then, so that the second one is never asked beside it.',
    remedy: 'Write fewer milliseconds.',
    wrong: withTargets(
      ['"strategy": { "mode": "fallback", "hedge": { "after_ms": 5000 } }'],
      '{ "provider": "@openai-prod", "request_timeout": 5000 }',
      '{ "virtual_key": "team-a" }',
    ),
    right: withTargets(
      ['"strategy": { "mode": "fallback", "hedge": { "after_ms": 5000 } }'],
      '{ "provider": "@openai-prod", "request_timeout": 5000, "retry": { "attempts": 1 } }',
      '{ "virtual_key": "team-a", "request_timeout": 1000 }',
    ),
  },
  'no-circuits': {
    cause: 'The setting says how circuits work, and no target here has one.',
    remedy: 'Add a "cb_config", or remove the setting.',
    wrong: config('"provider": "@openai-prod"', '"breaker": { "by": ["model", "error"] }'),
    right: withTargets(
      ['"strategy": { "mode": "fallback" }', '"breaker": { "by": ["model"] }'],
      '{ "provider": "@openai-prod" }',
      '{ "provider": "@azure-prod", "cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 } }',
    ),
  },
  'operators-setting': {
    cause: 'The setting makes the gateway call others by itself, which a config of a request cannot ask for.',
    remedy: 'Save the config in one of the own files of the gateway, or leave the setting out.',
    wrong: config(
      '"provider": "openai"',
      '"api_key": "sk-1"',
      '"cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 }',
      '"probe": { "path": "/models" }',
    ),
    right: config(
      '"provider": "openai"',
      '"api_key": "sk-1"',
      '"cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 }',
    ),
  },
  'no-vectors': {
    cause: 'A semantic cache compares vectors of texts, and nothing here makes them.',
    remedy: 'Name a provider of vectors in the gateway file, or use the mode "simple".',
    wrong: config('"provider": "@openai-prod"', '"cache": { "mode": "semantic" }'),
    right: ['{ "provider": "@openai-prod", "cache": { "mode": "simple" } }'],
  },
  'header-not-forwarded': {
    cause: 'Headers of the gateway, of the connection and of signatures are never passed on.',
    remedy: 'Remove it from the list.',
    wrong: config('"provider": "@openai-prod"', '"forward_headers": ["x-request-id", "x-gw-api-key"]'),
    right: config('"provider": "@openai-prod"', '"forward_headers": ["x-request-id"]'),
  },
  'invalid-header-name': {
    cause: 'No request can have a header of this name.',
    remedy: 'Write the name alone, without its value.',
    wrong: ['{ "provider": "@openai-prod", "forward_headers": ["x-team: a"] }'],
    right: ['{ "provider": "@openai-prod", "forward_headers": ["x-team"] }'],
  },
  'unlikely-duration': {
    cause: 'So short a time ends almost every request, and was probably meant in another unit.',
    remedy: 'Write the time in the unit that the message names.',
    wrong: ['{ "provider": "@openai-prod", "request_timeout": 30 }'],
    right: ['{ "provider": "@openai-prod", "request_timeout": 30000 }'],
  },
  'unlikely-parameter': {
    cause: 'Providers refuse such a value, or read it as another one.',
    remedy: 'Write a value that the message names.',
    wrong: ['{ "provider": "@openai-prod", "override_params": { "temperature": 3 } }'],
    right: ['{ "provider": "@openai-prod", "override_params": { "temperature": 1 } }'],
  },
  'unknown-parameter': {
    cause: 'No provider reads a parameter of this name.',
    remedy: 'Correct the spelling.',
    wrong: ['{ "provider": "@openai-prod", "override_params": { "max_token": 100 } }'],
    right: ['{ "provider": "@openai-prod", "override_params": { "max_tokens": 100 } }'],
  },
  'setting-not-carried': {
    cause: 'Requests are sent without the parameter, so that it has no effect there.',
    remedy: 'Remove it, or set it only at targets that take it.',
    wrong: config('"virtual_key": "team-a"', '"override_params": { "seed": 1 }'),
    right: ['{ "provider": "@openai-prod", "override_params": { "seed": 1, "n": 2, "logprobs": true } }'],
  },
  'closed-provider': {
    cause: 'The service is gone, so that every request to it fails.',
    remedy: 'Name another provider, or the host that serves it now.',
    wrong: ['{ "provider": "lambda", "api_key": "${env:KEY}" }'],
    right: ['{ "provider": "lambda", "api_key": "${env:KEY}", "custom_host": "https://lambda.example.com/v1" }'],
  },
  'misspelt-model': {
    cause:
      'The name differs from that of a known model of the provider in one letter, or in the marks between its words, so that the provider probably answers with 404.',
    remedy: 'Write the name as the provider lists it: gw models shows what is known.',
    wrong: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embeding-3-small" } }',
    ],
    right: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embedding-3-small" } }',
    ],
  },
  'deprecated-model': {
    cause: 'Its provider has said from which day on it may refuse the model.',
    remedy: 'Name a model that stays.',
    wrong: ['{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-9" } }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-10" } }'],
  },
  'unknown-abilities': {
    cause: '"require" leaves out targets that are known to be unable, and nothing is known of these.',
    remedy: 'State what the models can do under "model_facts" in the gateway file.',
    wrong: withTargets(
      ['"strategy": { "mode": "fallback", "require": "capabilities" }'],
      '{ "provider": "@openai-prod", "override_params": { "model": "own-1" } }',
      '{ "provider": "@openai-prod", "override_params": { "model": "own-2" } }',
    ),
    right: withTargets(
      ['"strategy": { "mode": "fallback", "require": "capabilities" }'],
      '{ "provider": "@openai-prod", "override_params": { "model": "own-1" } }',
      '{ "provider": "@openai-prod", "override_params": { "model": "blind" } }',
    ),
  },
  'foreign-model': {
    cause: 'The model is one of another vendor, so that this provider probably refuses it.',
    remedy: 'Name a model of the provider, or change the provider.',
    wrong: ['{ "provider": "@openai-prod", "override_params": { "model": "claude-sonnet-4-5" } }'],
    right: ['{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }'],
  },
  'model-not-allowed': {
    cause: 'The operator allows certain models of this saved provider, and this is none of them.',
    remedy: 'Name a model that is allowed.',
    wrong: ['{ "provider": "@limited/gpt-5" }'],
    right: ['{ "provider": "@limited/gpt-4o" }'],
  },
  'unjudged-answers': {
    cause:
      'The targets make vectors of texts. A check on answers reads texts, and there are none in vectors, so that it never runs.',
    remedy: 'Check the texts that are sent: "input_guardrails" run before the request.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"override_params": { "model": "text-embedding-3-small" }',
      '"output_guardrails": [{ "default.contains": { "words": ["secret"], "operator": "none" }, "deny": true }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"override_params": { "model": "text-embedding-3-small" }',
      '"input_guardrails": [{ "default.contains": { "words": ["secret"], "operator": "none" }, "deny": true }]',
    ),
  },
  'mixed-embedding-models': {
    cause: 'Vectors of two models cannot be compared, so that a search over both finds the wrong texts.',
    remedy: 'Name one model in all targets of the group.',
    wrong: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "text-embedding-3-small" } }',
      '{ "provider": "google", "api_key": "${env:KEY}", "override_params": { "model": "gemini-embedding-001" } }',
    ),
    right: group(
      'fallback',
      '{ "provider": "cohere", "api_key": "${env:KEY}", "override_params": { "model": "embed-english-v3.0" } }',
      '{ "provider": "bedrock", "api_key": "${env:KEY}", "override_params": { "model": "us.cohere.embed-english-v3" } }',
    ),
  },
  'inherited-model': {
    cause:
      'The other targets set a model, and this one sends whatever the caller asked for, which its provider may not have.',
    remedy: 'Set "model" in the "override_params" of this target.',
    wrong: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "virtual_key": "team-a" }',
    ),
    right: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "virtual_key": "team-a", "override_params": { "model": "claude-sonnet-5" } }',
    ),
  },
  'setting-out-of-range': {
    cause: 'The provider takes a smaller range of this parameter than the format of the client has.',
    remedy: 'Write a value that the provider takes.',
    wrong: config('"virtual_key": "team-a"', '"override_params": { "temperature": 1.5 }'),
    right: ['{ "virtual_key": "team-a", "override_params": { "temperature": 1, "top_p": 1 } }'],
  },
  'replaced-prompt': {
    cause: 'Overrides replace members of every request, and this member is what callers ask.',
    remedy: 'Remove it; add instructions by a check or a stored prompt.',
    wrong: config('"provider": "@openai-prod"', '"override_params": { "input": "Hello." }'),
    right: [
      '{ "provider": "@openai-prod", "override_params": { "prompt": { "id": "p" }, "instructions": "Be kind." } }',
    ],
  },
  'prefixed-model': {
    cause:
      'Only gateways that sell the models of others have names with the maker before them; the provider itself does not.',
    remedy: 'Write the name as the provider lists it.',
    wrong: config('"provider": "@openai-prod"', '"override_params": { "model": "openai/gpt-5.5" }'),
    right: ['{ "provider": "@openai-prod", "override_params": { "model": "gpt-5.5" } }'],
  },
};
