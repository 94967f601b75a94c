import type { routingDiagnostics } from '../table/routing-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group, routed } from './example-configs.ts';

/** Weights, statuses and conditions. */
export const routingExamples: { readonly [Code in keyof typeof routingDiagnostics]: CodeExample } = {
  'zero-weight': {
    cause: 'A target with a weight of 0 is never chosen.',
    remedy: 'Give it a weight above 0, or remove the target.',
    wrong: group('loadbalance', '{ "provider": "@openai-prod", "weight": 0 }', '{ "provider": "@azure-prod" }'),
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1 }',
      '{ "provider": "@azure-prod", "weight": 1 }',
    ),
  },
  'negative-weight': {
    cause: 'A weight is a share of the requests, and a share cannot be negative.',
    remedy: 'Write 0 or more.',
    wrong: group('loadbalance', '{ "provider": "@openai-prod", "weight": -1 }', '{ "provider": "@azure-prod" }'),
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1 }',
      '{ "provider": "@azure-prod", "weight": 1 }',
    ),
  },
  'all-zero-weights': {
    cause: 'No target of the load balance can be chosen, so no request could be served.',
    remedy: 'Give at least one target a weight above 0.',
    wrong: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 0 }',
      '{ "provider": "@azure-prod", "weight": 0 }',
    ),
    right: group('loadbalance', '{ "provider": "@openai-prod", "weight": 1 }'),
  },
  'uneven-weights': {
    cause: 'Weights are converted to whole numbers, and these would be too large to be exact.',
    remedy: 'Write the weights with fewer digits.',
    wrong: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1.000000001 }',
      '{ "provider": "echo", "weight": 1e9 }',
    ),
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1 }',
      '{ "provider": "echo", "weight": 1000 }',
    ),
  },
  'mixed-weights': {
    cause:
      'Some weights here look like fractions of 1 and others like percentages, so one target gets almost no requests.',
    remedy: 'Use one scale for all of them.',
    wrong: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 0.7 }',
      '{ "provider": "@azure-prod", "weight": 30 }',
    ),
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 70 }',
      '{ "provider": "@azure-prod", "weight": 30 }',
    ),
  },
  'impossible-status': {
    cause: 'No answer can have this status here, so another status was probably meant.',
    remedy: 'Write the status that was meant, or remove this one.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429, 4290] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429, 529] }'),
  },
  'success-status': {
    cause: 'If a success status is listed as a failure, good answers count as failures.',
    remedy: 'Remove it.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [200, 429] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429] }'),
  },
  'duplicate-item': {
    cause: 'The second entry has no effect, and was probably meant to be something else.',
    remedy: 'Remove it, or write what was meant.',
    wrong: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secrets", "no-secrets"]'),
    right: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secrets"]'),
  },
  'empty-trigger': {
    cause: 'If the list is empty, no answer makes the fallback try the next target.',
    remedy: 'List statuses, or remove the setting.',
    wrong: config(
      '"strategy": { "mode": "fallback", "on_status_codes": [] }',
      '"targets": [{ "provider": "@openai-prod" }, { "provider": "@azure-prod" }]',
    ),
    right: config(
      '"strategy": { "mode": "fallback", "on_status_codes": [429, 503] }',
      '"targets": [{ "provider": "@openai-prod" }]',
    ),
  },
  'retry-covers-nothing': {
    cause: 'If the list is empty, no status is retried.',
    remedy: 'List statuses, or remove the setting.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2 }'),
  },
  'unknown-fact': {
    cause: 'Conditions can test the metadata, the parameters and the path of a request, and this is not one of them.',
    remedy: 'Write "metadata.…", "params.…" or another fact that the hint names.',
    wrong: routed(['"conditions": [{ "query": { "tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'unknown-operator': {
    cause: 'The comparison uses an operator that does not exist.',
    remedy: 'Write one of the operators that the hint lists.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$equals": "gold" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$eq": "gold" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'wrong-operand': {
    cause: 'The operator compares with values of another type.',
    remedy: 'Write a value of the type that the message names.',
    wrong: routed([
      '"conditions": [{ "query": { "params.max_tokens": { "$gt": "many" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "params.max_tokens": { "$gt": 1000 } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'mixed-element-match': {
    cause: 'The elements of a list are either values or objects, and this tests them as both.',
    remedy: 'Write operators for values, or members for objects.',
    wrong: routed([
      '"conditions": [{ "query": { "params.tools": { "$elemMatch": { "type": "function", "$exists": true } } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "params.tools": { "$elemMatch": { "type": "function", "name": { "$exists": true } } } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'never-a-list': {
    cause: 'The operator applies to lists, and the value that it tests is always a string.',
    remedy: 'Compare it with "$eq", "$in" or "$regex", or test a member of the body.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tags": { "$elemMatch": { "$eq": "beta" } } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tags": { "$exists": true } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'unlikely-list': {
    cause: 'The operator applies to lists, and this member of a request is not a list.',
    remedy: 'Test a member of the body that is a list.',
    wrong: routed([
      '"conditions": [{ "query": { "params.model": { "$all": ["gpt-5.5"] } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "params.stop": { "$size": 2 } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'empty-comparison': {
    cause: 'An object without an operator does not compare anything.',
    remedy: 'Write a value, or an operator with a value.',
    wrong: routed(['"conditions": [{ "query": { "metadata.tier": {} }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$exists": true } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'invalid-regex': {
    cause:
      'The pattern cannot be compiled. Look-arounds and back-references are not supported, so that no pattern can take unbounded time.',
    remedy: 'Correct the pattern, or write the condition without it.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "^(?!gold)" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "^gold" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'slashed-pattern': {
    cause: 'Patterns are written as strings here, so slashes and flags are characters to match.',
    remedy: 'Write the pattern without slashes, and put flags at its beginning: (?i).',
    wrong: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.regexMatch": { "rule": "/secret\\\\/key/ig", "not": true }, "deny": true }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.regexMatch": { "rule": "/admin/", "not": true }, "deny": true }]',
    ),
  },
  'unequal-type': {
    cause: 'Values are not converted: a string never equals a number or a boolean.',
    remedy: 'Write the value without quotes.',
    wrong: routed(['"conditions": [{ "query": { "params.stream": "true" }, "then": "careful" }]', '"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "params.stream": true }, "then": "careful" }]', '"default": "fast"']),
  },
  'capability-gap': {
    cause:
      'A fallback or a load balance sends the same requests to several targets. This target is known not to serve some requests that another one serves, because its model or its format lacks a feature.',
    remedy: 'Let the strategy require "capabilities", or name a model that has the feature.',
    wrong: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "seeing" } }',
      '{ "provider": "@openai-prod", "override_params": { "model": "blind" } }',
    ),
    right: group(
      'fallback',
      '{ "provider": "@openai-prod", "override_params": { "model": "blind" } }',
      '{ "provider": "@openai-prod", "override_params": { "model": "seeing" } }',
    ),
  },
  'never-continued': {
    cause: 'A stream can continue at another target only if no check may hold its answer back.',
    remedy: 'Let the output checks report only, or remove "continue".',
    wrong: [
      '{',
      '  "strategy": { "mode": "fallback", "continue": true },',
      '  "targets": [',
      '    { "provider": "@openai-prod" },',
      '    {',
      '      "provider": "@openai-prod", "override_params": { "model": "gpt-5.4-mini" },',
      '      "output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" }, "deny": true }]',
      '    }',
      '  ]',
      '}',
    ],
    right: [
      '{',
      '  "strategy": { "mode": "fallback", "continue": true },',
      '  "targets": [',
      '    { "provider": "@openai-prod" },',
      '    {',
      '      "provider": "@openai-prod", "override_params": { "model": "gpt-5.4-mini" },',
      '      "output_guardrails": [{ "default.contains": { "words": ["x"], "operator": "none" } }]',
      '    }',
      '  ]',
      '}',
    ],
  },
  'forgotten-weight': {
    cause: 'A target without a weight counts as 1, which is next to nothing beside weights such as 70.',
    remedy: 'Give each target of the load balance a weight on the same scale.',
    wrong: group('loadbalance', '{ "provider": "@openai-prod", "weight": 70 }', '{ "provider": "@azure-prod" }'),
    right: group('loadbalance', '{ "provider": "@openai-prod", "weight": 2 }', '{ "provider": "@azure-prod" }'),
  },
  'unread-glob': {
    cause: 'Values are compared literally and patterns are regular expressions. A star is not a wildcard in either.',
    remedy: 'Write "$regex" with a pattern such as "^gpt-".',
    wrong: routed(['"conditions": [{ "query": { "params.model": "gpt-*" }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "params.model": { "$regex": "^gpt-" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'matches-any-text': {
    cause: 'If every part of a pattern may be empty, the pattern matches every text.',
    remedy: 'Write a pattern that requires something, or use "$exists".',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "(gold)?" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "^(gold)?$" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'matches-no-text': {
    cause: 'Nothing can precede the beginning of a value (^), follow its end ($), or be between two letters and a \\b.',
    remedy: 'Move "^" to the beginning and "$" to the end of the pattern or of an alternative, or escape them.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "gold^" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "^gold" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'null-comparison': {
    cause: 'A label or parameter that was not sent is missing, and a missing value is not null.',
    remedy: 'Write "$exists" with false instead of null.',
    wrong: routed(['"conditions": [{ "query": { "metadata.tier": null }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$exists": false } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'stray-blank': {
    cause: 'A blank at the end of a key or value is part of it, so it equals nothing that requests send.',
    remedy: 'Remove the blank.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier ": "gold" }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'nested-label': {
    cause: 'Labels have no members: a label is a string, a number, true or false.',
    remedy: 'Send a separate label, such as "beta", and test that.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.features.beta": true }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.beta": true }, "then": "careful" }]', '"default": "fast"']),
  },
  'undeclared-label': {
    cause: 'The gateway file declares labels, and this is not one of them. It is misspelt, or no request has it.',
    remedy: 'Write a declared label, or declare this one under "metadata" in the gateway file.',
    wrong: routed(['"conditions": [{ "query": { "metadata.paln": "gold" }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "metadata._user": "alice", "metadata.plan": "gold", "params.paln": 1 }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'undeclared-value': {
    cause: 'The gateway file declares which values the label can have, and this is not one of them.',
    remedy: 'Write one of these values, or add this one to the declaration in the gateway file.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.plan": { "$in": ["gold", "silver"] } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.plan": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'unlikely-path': {
    cause: 'A condition on the path is compared with the whole path of a request, which begins with a version.',
    remedy: 'Write the path of an operation, such as "/v1/chat/completions".',
    wrong: routed([
      '"conditions": [{ "query": { "url.pathname": "/chat/completions" }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "url.pathname": "/v1/chat/completions" }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
};
