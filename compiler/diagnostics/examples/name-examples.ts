import type { nameDiagnostics } from '../table/name-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group, repeated, routed, withTargets } from './example-configs.ts';

/** Names that a config uses. */
export const nameExamples: { readonly [Code in keyof typeof nameDiagnostics]: CodeExample } = {
  'unknown-target': {
    cause: 'A request for which this condition holds could not be sent anywhere.',
    remedy: 'Write the name of one of the targets beside the strategy.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "carefull" }, { "query": { "metadata.tier": "free" }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'ambiguous-target': {
    cause: 'Which of the targets of one name is meant, nobody can know.',
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
    cause:
      'A name that two targets have says nothing of either, so that neither is called by it in plans, logs and metrics.',
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
    cause: 'A request for which no condition holds could not be sent anywhere.',
    remedy: 'Add "default" with the name of a target.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }, { "query": { "metadata.tier": "free" }, "then": "fast" }]',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'missing-conditions': {
    cause: 'Without conditions, every request goes to the default.',
    remedy: 'Add conditions, or name the target itself in place of the strategy.',
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
    cause: 'How one of several targets is chosen, nothing says.',
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
    cause: 'A target before it answers every request, so that this one is never asked.',
    remedy: 'Move it up, let the one before it fail over, or remove it.',
    wrong: group('fallback', '{ "provider": "echo" }', '{ "provider": "@openai-prod" }'),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "echo" }'),
  },
  'unreachable-condition': {
    cause: 'An earlier condition holds wherever this one does, so that its target is never chosen here.',
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
    cause: 'A query without a test holds for every request.',
    remedy: 'Test something, or make the target the default.',
    wrong: routed(['"conditions": [{ "query": {}, "then": "careful" }]', '"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'unknown-provider': {
    cause: 'No loaded plugin has a provider of this name.',
    remedy:
      'Correct the spelling, or name the plugin in the gateway file. gw providers kinds lists those that there are.',
    wrong: ['{ "provider": "opnai", "api_key": "${env:OPENAI_API_KEY}" }'],
    right: ['{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'],
  },
  'unsaved-settings': {
    cause: 'A plan carries no settings of plugins, so that only what is saved in the gateway file can have them.',
    remedy: 'Save the provider with its "settings" in the gateway file, and write "@" and its name.',
    wrong: config(
      '"provider": "locker"',
      '"forward_headers": ["x-locker-key"]',
      '"custom_host": "https://locker.example/v1"',
    ),
    right: ['{ "provider": "@openai-prod" }'],
  },
  'unknown-saved-provider': {
    cause: 'The name after "@" is looked up in the gateway file and the store, and is in neither.',
    remedy: 'Correct the spelling, or save the provider.',
    wrong: ['{ "provider": "@openai-prd" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'other-provider-model': {
    cause: 'The name of a model can bring its provider, and this one brings another than the target calls.',
    remedy: 'Write the model alone, or leave the provider to the name of the model.',
    wrong: config('"provider": "@openai-prod"', '"override_params": { "model": "@azure-prod/gpt-4o" }'),
    right: config('"provider": "@openai-prod"', '"override_params": { "model": "gpt-4o" }'),
  },
  'model-left-open': {
    cause: 'Clients of a virtual model write its name, which no provider knows.',
    remedy: 'Set the model at each target, in "override_params".',
    wrong: withTargets(
      ['"name": "fast"', '"strategy": { "mode": "fallback" }'],
      '{ "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }',
      '{ "provider": "@openai-prod" }',
    ),
    right: ['{ "name": "fast", "provider": "@openai-prod", "override_params": { "model": "gpt-4o" } }'],
  },
  'unknown-virtual-key': {
    cause: 'No virtual key of this name is saved.',
    remedy: 'Correct the spelling, or create the key.',
    wrong: ['{ "virtual_key": "team-b" }'],
    right: ['{ "virtual_key": "team-a" }'],
  },
  'unknown-guardrail': {
    cause: 'No guardrail of this name is saved, so that nothing would be checked.',
    remedy: 'Correct the spelling, or save the guardrail.',
    wrong: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secret"]'),
    right: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secrets"]'),
  },
  'unknown-balance': {
    cause: 'No loaded plugin chooses among targets in this way.',
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
    cause: 'No loaded plugin has a check of this name, so that nothing would be checked.',
    remedy: 'Correct the spelling, or load the plugin.',
    wrong: config('"provider": "@openai-prod"', '"input_guardrails": [{ "default.contain": { "words": ["x"] } }]'),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" } }]',
    ),
  },
  'unknown-prompt': {
    cause: 'No stored prompt has this name, or this version of it.',
    remedy: 'Correct the spelling, or create the prompt.',
    wrong: config('"prompt_id": "greetings@prod"', '"retry": { "attempts": 1 }'),
    right: ['{ "prompt_id": "greeting@prod" }'],
  },
  'unusable-prompt': {
    cause: 'The prompt names a virtual key that is gone, and the config names no provider in its place.',
    remedy: 'Name a provider beside "prompt_id", or give the prompt a key that is saved.',
    wrong: ['{ "prompt_id": "farewell" }'],
    right: ['{ "prompt_id": "greeting@prod" }'],
  },
  'no-stored-prompts': {
    cause: 'Only a store has prompts, and this config is read without one.',
    remedy: 'Save the config in the store that has the prompts, or send the messages yourself.',
    wrong: ['{ "prompt_id": "greeting" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'too-many-prompts': {
    cause: 'Each prompt of a config is read before the config is used, so that their number is bounded.',
    remedy: 'Use fewer prompts, or several configs.',
    wrong: repeated('fallback', 21, (index) => `{ "prompt_id": "greeting@${index + 1}" }`),
    right: ['{ "prompt_id": "greeting@1" }'],
  },
  'feature-not-available': {
    cause: 'The setting is served by a plugin that is not loaded.',
    remedy: 'Load such a plugin, or remove the setting.',
    wrong: config('"provider": "@openai-prod"', '"cache": { "mode": "semantic" }'),
    right: ['{ "provider": "@openai-prod" }'],
  },
  'overlapping-conditions': {
    cause:
      'Where two conditions hold for the same request, the first one chooses, and the second is passed over without a word.',
    remedy: 'Give them no value in common, or put the one first that is meant to have it.',
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
    cause: 'A group of one target chooses nothing, and a fallback has nowhere to go on.',
    remedy: 'Add the target that is missing, or write the one without a group.',
    wrong: group('fallback', '{ "provider": "@openai-prod" }'),
    right: group('fallback', '{ "provider": "@openai-prod" }', '{ "provider": "@azure-prod" }'),
  },
  'equal-targets': {
    cause:
      'Two targets with one provider, credential and settings are one: their weights add up, and what fails at the one fails at the other.',
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
    cause: 'Where all conditions lead to one target, they decide nothing.',
    remedy: 'Name another target in one of them, or write the target alone.',
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
