import type { nameDiagnostics } from '../table/name-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group, repeated, routed, withTargets } from './example-configs.ts';

/** Names that a config uses. */
export const nameExamples: { readonly [Code in keyof typeof nameDiagnostics]: CodeExample } = {
  'unknown-target': {
    cause: 'A request that matches this condition could not be sent anywhere.',
    remedy: 'Write the name of one of the targets of this group.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "carefull" }, { "query": { "metadata.tier": "free" }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'ambiguous-target': {
    cause: 'Several targets have this name, so it is unclear which one is meant.',
    remedy: 'Give each target a name of its own.',
    wrong: routed(
      ['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "slow" }]', '"default": "fast"'],
      '{ "name": "fast", "provider": "echo" }',
      '{ "name": "fast", "provider": "@openai-prod" }',
      '{ "name": "slow", "provider": "echo" }',
    ),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'repeated-name': {
    cause: 'If two targets share a name, it identifies neither, so plans, logs and metrics do not use it.',
    remedy: 'Give each target a name of its own.',
    wrong: group(
      'fallback',
      '{ "name": "main", "provider": "@openai-prod" }',
      '{ "name": "main", "provider": "@azure-prod" }',
    ),
    right: group(
      'fallback',
      '{ "name": "main", "provider": "@openai-prod" }',
      '{ "name": "spare", "provider": "@azure-prod" }',
    ),
  },
  'missing-default': {
    cause: 'A request that matches no condition could not be sent anywhere.',
    remedy: 'Add "default" with the name of a target.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }, { "query": { "metadata.tier": "free" }, "then": "fast" }]',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'missing-conditions': {
    cause: 'Without conditions, every request goes to the default.',
    remedy: 'Add conditions, or write the target itself instead of the strategy.',
    wrong: routed(['"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'missing-targets': {
    cause: 'A strategy chooses among targets, and there are none.',
    remedy: 'Add at least one target.',
    wrong: config('"strategy": { "mode": "fallback" }', '"targets": []'),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'missing-strategy': {
    cause: 'There are targets, but nothing specifies how to choose among them.',
    remedy: 'Add a strategy: "fallback", "loadbalance" or "conditional".',
    wrong: config('"retry": { "attempts": 1 }', '"targets": [{ "provider": "@openai-prod" }]'),
    right: group('fallback', '{ "provider": "@openai-prod" }'),
  },
  'unused-target': {
    cause: 'No request ever goes to this target, which was probably meant to be used.',
    remedy: 'Name it in a condition or as the default, or remove it.',
    wrong: routed(
      ['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "slow" }]', '"default": "fast"'],
      '{ "name": "fast", "provider": "echo" }',
      '{ "name": "careful", "provider": "@azure-prod" }',
      '{ "name": "slow", "provider": "@openai-prod" }',
    ),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'unreachable-target': {
    cause: 'An earlier target answers every request, so this one is never called.',
    remedy: 'Move it up, let the earlier target fall back, or remove it.',
    wrong: group('fallback', '{ "provider": "echo" }', '{ "provider": "@openai-prod" }'),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "echo" }'),
  },
  'unreachable-condition': {
    cause: 'An earlier condition matches every request that this one matches, so its target is never chosen here.',
    remedy: 'Move the narrower condition up.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$in": ["gold", "silver"] } }, "then": "careful" }, { "query": { "metadata.tier": "gold" }, "then": "fast" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "fast" }, { "query": { "metadata.tier": { "$in": ["gold", "silver"] } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'constant-condition': {
    cause: 'A query without a test matches every request.',
    remedy: 'Test something, or make the target the default.',
    wrong: routed(['"conditions": [{ "query": {}, "then": "careful" }]', '"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'unknown-provider': {
    cause: 'No loaded plugin has a provider with this name.',
    remedy: 'Correct the spelling, or name the plugin in the gateway file. gw providers kinds lists all providers.',
    wrong: ['{ "provider": "opnai", "api_key": "${env:OPENAI_API_KEY}" }'],
    right: ['{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'],
  },
  'unsaved-settings': {
    cause:
      'A plan does not contain settings of plugins, so only a provider that is saved in the gateway file can have them.',
    remedy: 'Save the provider with its "settings" in the gateway file, and write "@" and its name.',
    wrong: config(
      '"provider": "locker"',
      '"forward_headers": ["x-locker-key"]',
      '"custom_host": "https://locker.example/v1"',
    ),
    right: ['{ "provider": "@openai-prod" }'],
  },
  'unknown-saved-provider': {
    cause: 'The name after "@" is looked up in the gateway file and in the store, and neither has it.',
    remedy: 'Correct the spelling, or save the provider.',
    wrong: ['{ "provider": "@openai-prd" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'unusable-provider': {
    cause:
      'The provider or virtual key is in the store, but it has expired, or it can no longer be used as it was saved.',
    remedy: 'Set a later expiry, or do what the hint says. Until then, name another provider.',
    wrong: ['{ "provider": "@openai-trial" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'other-provider-model': {
    cause: 'The name of a model can include its provider, and this one names a provider other than that of the target.',
    remedy: 'Write only the model, or remove the provider of the target.',
    wrong: config('"provider": "@openai-prod"', '"override_params": { "model": "@azure-prod/gpt-4o" }'),
    right: config('"provider": "@openai-prod"', '"override_params": { "model": "gpt-4o" }'),
  },
  'model-left-open': {
    cause: 'Clients send the name of the virtual model as their model, and no provider knows that name.',
    remedy: 'Set the model of each target in "override_params".',
    wrong: withTargets(
      ['"name": "fast"', '"strategy": { "mode": "fallback" }'],
      '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "provider": "@openai-prod" }',
    ),
    right: ['{ "name": "fast", "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }'],
  },
  'unknown-virtual-key': {
    cause: 'No virtual key is saved under this name.',
    remedy: 'Correct the spelling, or create the key.',
    wrong: ['{ "virtual_key": "team-b" }'],
    right: ['{ "virtual_key": "team-a" }'],
  },
  'unknown-guardrail': {
    cause: 'No guardrail is saved under this name, so nothing would be checked.',
    remedy: 'Correct the spelling, or save the guardrail.',
    wrong: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secret"]'),
    right: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secrets"]'),
  },
  'unknown-balance': {
    cause: 'No loaded plugin provides this way of choosing among targets.',
    remedy: 'Write one of the ways that the hint lists.',
    wrong: config(
      '"strategy": { "mode": "loadbalance", "balance": "latncy" }',
      '"targets": [{ "provider": "@openai-prod" }, { "provider": "@azure-prod" }]',
    ),
    right: config(
      '"strategy": { "mode": "loadbalance", "balance": "latency" }',
      '"targets": [{ "provider": "@openai-prod" }, { "provider": "@openai-prod", "name": "second" }]',
    ),
  },
  'unknown-check': {
    cause: 'No loaded plugin has a check with this name, so nothing would be checked.',
    remedy: 'Correct the spelling, or load the plugin.',
    wrong: config('"provider": "@openai-prod"', '"input_guardrails": [{ "default.contain": { "words": ["x"] } }]'),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" } }]',
    ),
  },
  'unknown-prompt': {
    cause: 'No stored prompt has this name, or the prompt does not have this version.',
    remedy: 'Correct the spelling, or create the prompt.',
    wrong: config('"prompt_id": "greetings@prod"', '"retry": { "attempts": 1 }'),
    right: ['{ "prompt_id": "greeting@prod" }'],
  },
  'unusable-prompt': {
    cause:
      'The prompt names a virtual key that no longer exists or has expired, and the config names no provider to use instead.',
    remedy: 'Name a provider beside "prompt_id", or give the prompt a virtual key that is saved.',
    wrong: ['{ "prompt_id": "farewell" }'],
    right: ['{ "prompt_id": "greeting@prod" }'],
  },
  'no-stored-prompts': {
    cause: 'Prompts are saved only in a store, and this config is read without one.',
    remedy: 'Save the config in the store that has the prompts, or send the messages yourself.',
    wrong: ['{ "prompt_id": "greeting" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'too-many-prompts': {
    cause: 'Each prompt of a config is read before the config is used, so their number is limited.',
    remedy: 'Use fewer prompts, or several configs.',
    wrong: repeated('fallback', 21, (index) => `{ "prompt_id": "greeting@${index + 1}" }`),
    right: ['{ "prompt_id": "greeting@1" }'],
  },
  'feature-not-available': {
    cause: 'The setting needs a plugin that is not loaded.',
    remedy: 'Load such a plugin, or remove the setting.',
    wrong: config('"provider": "@openai-prod"', '"cache": { "mode": "semantic" }'),
    right: ['{ "provider": "@openai-prod" }'],
  },
  'overlapping-conditions': {
    cause:
      'If two conditions match the same request, the first one chooses the target, and the second is ignored silently.',
    remedy: 'Give them no value in common, or put the condition first that should match.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$in": ["gold", "silver"] } }, "then": "careful" }, { "query": { "metadata.tier": { "$in": ["silver", "free"] } }, "then": "fast" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }, { "query": { "metadata.region": "eu" }, "then": "fast" }]',
      '"default": "fast"',
    ]),
  },
  'one-target': {
    cause: 'A group with one target has nothing to choose, and a fallback with one target has nothing to fall back to.',
    remedy: 'Add the missing target, or write the target without a group.',
    wrong: group('fallback', '{ "provider": "@openai-prod" }'),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'equal-targets': {
    cause:
      'Two targets with the same provider, credential and settings behave as one: their weights add up, and when one fails, so does the other.',
    remedy: 'Change what should differ, or remove one of them.',
    wrong: group(
      'loadbalance',
      '{ "provider": "@openai-prod" }',
      '{ "provider": "@azure-prod" }',
      '{ "weight": 2, "name": "again", "provider": "@openai-prod" }',
    ),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'one-way': {
    cause: 'If all conditions lead to the same target, they decide nothing.',
    remedy: 'Name another target in one of them, or write only the target.',
    wrong: [
      '{',
      '  "strategy": {',
      '    "mode": "conditional",',
      '    "conditions": [{ "query": { "metadata.tier": "gold" }, "then": "fast" }],',
      '    "default": "fast"',
      '  },',
      '  "targets": [{ "name": "fast", "provider": "@openai-prod" }]',
      '}',
    ],
    right: routed([
      '"conditions": [{ "query": { "metadata.a": "b" }, "then": "careful" }, { "query": { "metadata.a": "c" }, "then": "fast" }]',
      '"default": "fast"',
    ]),
  },
};
