import type { settingDiagnostics } from '../table/setting-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group, listed, nested, repeated, routed, withTargets } from './example-configs.ts';

/** Settings, guardrails and parameters. */
export const settingExamples: { readonly [Code in keyof typeof settingDiagnostics]: CodeExample } = {
  'wrong-phase': {
    cause: 'The check is for requests but is listed among the checks of answers, or the other way round.',
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
      'A list of guardrails replaces the inherited list, so checks that apply to all other targets do not run here.',
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
    cause: 'Two settings contradict each other about what happens when the check fails. The first one applies.',
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
    cause: 'The nesting depth of configs is limited, so that reading and running a config takes bounded time.',
    remedy: 'Put groups side by side, or split the config.',
    wrong: nested(11),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'too-many-targets': {
    cause: 'The number of targets is limited, so that a config takes bounded memory and time.',
    remedy: 'Remove targets, or split the config.',
    wrong: repeated(
      'fallback',
      101,
      (index) => `{ "provider": "@openai-prod", "override_params": { "seed": ${index} } }`,
    ),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'config-too-large': {
    cause: 'A config that comes with a request is compiled while other requests wait, so its size is limited.',
    remedy: 'Make it smaller, or ask the operator to save it.',
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
    cause: 'Patterns that come with a request are compiled while other requests wait, so their size is limited.',
    remedy: 'Use smaller patterns, or ask the operator to save the config.',
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
      'Testing the elements of a list takes time for each element, so a config that comes with a request may have only a limited number of such tests.',
    remedy: 'Use fewer of them, or ask the operator to save the config.',
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
    cause: 'The setting applies to a whole request, so a single target cannot have it.',
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
    cause: 'Other gateways for this format reject the config or ignore the setting.',
    remedy: 'Leave it out, or check without --portable.',
    wrong: ['{ "provider": "@openai-prod", "deadline_ms": 5000 }'],
    right: ['{ "provider": "@openai-prod", "request_timeout": 5000 }'],
  },
  'mirror-of-group': {
    cause: 'A copy is a single call, and its answer is only compared, so its target cannot be a group.',
    remedy: 'Name one provider as the target of the mirror.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "strategy": { "mode": "fallback" }, "targets": [{ "provider": "@azure-prod" }] }, "percent": 5 }',
    ),
    right: config('"provider": "@openai-prod"', '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5 }'),
  },
  'mirror-setting': {
    cause: 'A copy is a single call in the background, and the setting does not apply to such a call.',
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
    cause: 'Copies of requests cost money, and the caller who sends the config would not pay for them.',
    remedy: 'Include a key for the target of the mirror, or ask the operator to save the config.',
    wrong: config('"provider": "@openai-prod"', '"mirror": { "target": { "provider": "@azure-prod" }, "percent": 5 }'),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "openai", "api_key": "sk-of-the-caller" }, "percent": 5 }',
    ),
  },
  'mirror-of-itself': {
    cause: 'A copy that calls the same model with the same settings has nothing to compare.',
    remedy: 'Name another provider or model as the target of the mirror.',
    wrong: config('"provider": "@openai-prod"', '"mirror": { "target": { "provider": "@openai-prod" }, "percent": 5 }'),
    right: config(
      '"provider": "@openai-prod"',
      '"mirror": { "target": { "provider": "@openai-prod", "override_params": { "model": "gpt-5.4-mini" } }, "percent": 5 }',
    ),
  },
  'unknown-mirror-check': {
    cause: 'There is no check or saved guardrail with this name, so it cannot judge the answers of the mirror.',
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
      'In a request, a placeholder stands for the redacted value, which the answer gets back. A value that is redacted in an answer is never put back, so there the check would only redact.',
    remedy: 'Write "redact" in checks of answers, or move the check to "input_guardrails".',
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
    cause: 'Nothing reads the setting here, so it was probably meant for another place.',
    remedy: 'Move it to the place that the hint names, or remove it.',
    wrong: ['{ "provider": "@openai-prod", "weight": 2 }'],
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 2 }',
      '{ "provider": "@azure-prod", "weight": 1 }',
    ),
  },
  'late-hedge': {
    cause:
      'The first target has finished or timed out by then, so the second one is never called while the first is running.',
    remedy: 'Use fewer milliseconds.',
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
  'late-retries': {
    cause: 'The waits between retries grow, and no retry is made after the deadline of the request.',
    remedy: 'Use fewer retries, or more milliseconds for the request.',
    wrong: config('"provider": "@openai-prod"', '"deadline_ms": 5000', '"retry": { "attempts": 5 }'),
    right: config('"provider": "@openai-prod"', '"deadline_ms": 5000', '"retry": { "attempts": 3 }'),
  },
  'no-circuits': {
    cause: 'The setting controls how circuits work, and no target here has a circuit.',
    remedy: 'Add a "cb_config", or remove the setting.',
    wrong: config('"provider": "@openai-prod"', '"breaker": { "by": ["model", "error"] }'),
    right: withTargets(
      ['"strategy": { "mode": "fallback" }', '"breaker": { "by": ["model"] }'],
      '{ "provider": "@openai-prod" }',
      '{ "provider": "@azure-prod", "cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 } }',
    ),
  },
  'operators-setting': {
    cause:
      'The setting makes the gateway send requests of its own, which a config that comes with a request may not do.',
    remedy: "Save the config in one of the gateway's own files, or remove the setting.",
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
    cause: 'A semantic cache compares vectors of texts, and no provider of vectors is configured.',
    remedy: 'Name a provider of vectors in the gateway file, or use the mode "simple".',
    wrong: config('"provider": "@openai-prod"', '"cache": { "mode": "semantic" }'),
    right: ['{ "provider": "@openai-prod", "cache": { "mode": "simple" } }'],
  },
  'header-not-forwarded': {
    cause: 'Headers that belong to the gateway, to the connection or to signatures are never forwarded.',
    remedy: 'Remove it from the list.',
    wrong: config('"provider": "@openai-prod"', '"forward_headers": ["x-request-id", "x-gw-api-key"]'),
    right: config('"provider": "@openai-prod"', '"forward_headers": ["x-request-id"]'),
  },
  'invalid-header-name': {
    cause: 'This is not a valid name of a header, so no request can have it.',
    remedy: 'Write the name alone, without its value.',
    wrong: ['{ "provider": "@openai-prod", "forward_headers": ["x-team: a"] }'],
    right: ['{ "provider": "@openai-prod", "forward_headers": ["x-team"] }'],
  },
  'unlikely-duration': {
    cause: 'Such a short time would end almost every request. It was probably meant in another unit.',
    remedy: 'Write the time in the unit that the message names.',
    wrong: ['{ "provider": "@openai-prod", "request_timeout": 30 }'],
    right: ['{ "provider": "@openai-prod", "request_timeout": 30000 }'],
  },
  'unlikely-parameter': {
    cause: 'Providers reject this value, or interpret it as a different one.',
    remedy: 'Use a value that the message names.',
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
    cause: 'The parameter is left out of requests to this provider, so it has no effect there.',
    remedy: 'Remove it, or set it only on targets that accept it.',
    wrong: config('"virtual_key": "team-a"', '"override_params": { "seed": 1 }'),
    right: ['{ "provider": "@openai-prod", "override_params": { "seed": 1, "n": 2, "logprobs": true } }'],
  },
  'closed-provider': {
    cause: 'The service has shut down, so every request to it fails.',
    remedy: 'Name another provider, or the host that serves it now.',
    wrong: ['{ "provider": "lambda", "api_key": "${env:KEY}" }'],
    right: ['{ "provider": "lambda", "api_key": "${env:KEY}", "custom_host": "https://lambda.example.com/v1" }'],
  },
  'misspelt-model': {
    cause:
      'The name differs from the name of a model that is known for this provider by one letter, or only in the marks between its words, so the provider probably answers with 404.',
    remedy: 'Write the name as the provider lists it. gw models shows the known models.',
    wrong: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embeding-3-small" } }',
    ],
    right: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "text-embedding-3-small" } }',
    ],
  },
  'deprecated-model': {
    cause: 'The provider has announced a day from which it may reject requests for the model.',
    remedy: 'Name a model that is not deprecated.',
    wrong: ['{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-9" } }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "model": "gpt-10" } }'],
  },
  'unknown-abilities': {
    cause: '"require" skips targets that are known to lack a capability, and nothing is known about these.',
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
    cause: 'The model belongs to another vendor, so this provider will probably reject it.',
    remedy: 'Name a model of the provider, or change the provider.',
    wrong: ['{ "provider": "@openai-prod", "override_params": { "model": "claude-sonnet-4-5" } }'],
    right: ['{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }'],
  },
  'model-not-allowed': {
    cause: 'The operator allows only certain models for this saved provider, and this is not one of them.',
    remedy: 'Name one of the allowed models.',
    wrong: ['{ "provider": "@limited/gpt-5" }'],
    right: ['{ "provider": "@limited/gpt-4o" }'],
  },
  'unjudged-answers': {
    cause: 'The targets return vectors. A check of answers reads texts, and vectors contain none, so it never runs.',
    remedy: 'Check the texts that are sent instead: "input_guardrails" run before the request.',
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
    cause: 'Vectors of different models cannot be compared, so a search over both finds the wrong texts.',
    remedy: 'Name the same model in all targets of the group.',
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
      'The other targets set a model. This one sends the model that the caller asked for, and its provider may not have it.',
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
    cause: "The provider accepts a smaller range for this parameter than the client's format allows.",
    remedy: 'Use a value that the provider accepts.',
    wrong: config('"virtual_key": "team-a"', '"override_params": { "temperature": 1.5 }'),
    right: ['{ "virtual_key": "team-a", "override_params": { "temperature": 1, "top_p": 1 } }'],
  },
  'replaced-prompt': {
    cause: 'Overrides replace members of every request, and this member is the question that the caller asks.',
    remedy: 'Remove it. To add instructions, use a check or a stored prompt.',
    wrong: config('"provider": "@openai-prod"', '"override_params": { "input": "Hello." }'),
    right: [
      '{ "provider": "@openai-prod", "override_params": { "prompt": { "id": "p" }, "instructions": "Be kind." } }',
    ],
  },
  'prefixed-model': {
    cause:
      "Only gateways that resell models of other vendors put the vendor's name before the model; the provider itself does not.",
    remedy: 'Write the name as the provider lists it.',
    wrong: config('"provider": "@openai-prod"', '"override_params": { "model": "openai/gpt-5.5" }'),
    right: ['{ "provider": "@openai-prod", "override_params": { "model": "gpt-5.5" } }'],
  },
};
