import type { routingDiagnostics } from '../table/routing-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group, routed } from './example-configs.ts';

/** Weights, statuses and conditions. */
export const routingExamples: { readonly [Code in keyof typeof routingDiagnostics]: CodeExample } = {
  'zero-weight': {
    cause: 'A weight of 0 takes a target out of the balance for good.',
    remedy: 'Give it a weight above 0, or remove the target.',
    wrong: group('loadbalance', '{ "provider": "@openai-prod", "weight": 0 }', '{ "provider": "@azure-prod" }'),
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1 }',
      '{ "provider": "@azure-prod", "weight": 1 }',
    ),
  },
  'negative-weight': {
    cause: 'A weight is a share of requests, of which there are none below 0.',
    remedy: 'Write 0 or more.',
    wrong: group('loadbalance', '{ "provider": "@openai-prod", "weight": -1 }', '{ "provider": "@azure-prod" }'),
    right: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 1 }',
      '{ "provider": "@azure-prod", "weight": 1 }',
    ),
  },
  'all-zero-weights': {
    cause: 'No target of the balance can be chosen, so that no request could be served.',
    remedy: 'Give at least one target a weight above 0.',
    wrong: group(
      'loadbalance',
      '{ "provider": "@openai-prod", "weight": 0 }',
      '{ "provider": "@azure-prod", "weight": 0 }',
    ),
    right: group('loadbalance', '{ "provider": "@openai-prod", "weight": 1 }'),
  },
  'uneven-weights': {
    cause: 'Weights become whole numbers, and these would be too large to be exact.',
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
    cause: 'Some weights here look like shares of 1 and others like per cent, so that one target gets almost nothing.',
    remedy: 'Write all of them in one scale.',
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
    cause: 'No answer ever has this status at this place, so that it was probably meant to be another one.',
    remedy: 'Write the status that was meant, or remove it.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429, 4290] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429, 529] }'),
  },
  'success-status': {
    cause: 'A success that is listed among failures makes good answers count as bad ones.',
    remedy: 'Remove it.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [200, 429] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429] }'),
  },
  'duplicate-item': {
    cause: 'The second one does nothing, and was probably meant to be something else.',
    remedy: 'Remove it, or write what was meant.',
    wrong: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secrets", "no-secrets"]'),
    right: config('"provider": "@openai-prod"', '"input_guardrails": ["no-secrets"]'),
  },
  'empty-trigger': {
    cause: 'With an empty list, no answer makes the fallback go on.',
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
    cause: 'With an empty list, no status is retried.',
    remedy: 'List statuses, or remove the setting.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2 }'),
  },
  'unknown-fact': {
    cause: 'Conditions can test the metadata, the parameters and the path of a request, and this is none of them.',
    remedy: 'Write "metadata.…", "params.…" or another fact that the hint names.',
    wrong: routed(['"conditions": [{ "query": { "tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'unknown-operator': {
    cause: 'A comparison that nobody knows can neither hold nor fail.',
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
    cause: 'Elements of a list are either values or objects, and this tests them as both.',
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
    cause: 'The operator holds for lists, and what it tests is always a text.',
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
    cause: 'The operator holds for lists, and requests have something else there.',
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
    cause: 'An object without an operator compares with nothing.',
    remedy: 'Write a value, or an operator with one.',
    wrong: routed(['"conditions": [{ "query": { "metadata.tier": {} }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$exists": true } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'invalid-regex': {
    cause:
      'The pattern cannot be compiled; look-arounds and back-references are not supported, so that no pattern can run away.',
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
    cause: 'Patterns are texts here, in which slashes and flags are characters to find.',
    remedy: 'Write the pattern without slashes, and flags at its beginning: (?i).',
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
    cause: 'Nothing is converted: a text never equals a number or a boolean.',
    remedy: 'Write the value without quotes.',
    wrong: routed(['"conditions": [{ "query": { "params.stream": "true" }, "then": "careful" }]', '"default": "fast"']),
    right: routed(['"conditions": [{ "query": { "params.stream": true }, "then": "careful" }]', '"default": "fast"']),
  },
  'capability-gap': {
    cause:
      'A fallback or a balance sends the same requests to several targets, and this one is known not to serve some of those that another one serves: its model or its format does not have it.',
    remedy: 'Let the strategy require "capabilities", or name a model that has it.',
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
    cause: 'A stream can go on at another target only where nothing may hold its answer back.',
    remedy: 'Let the output checks only report, or leave "continue" out.',
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
    cause: 'A target without a weight counts as 1, which beside weights such as 70 is next to nothing.',
    remedy: 'Give each target of the balance a weight on one scale.',
    wrong: group('loadbalance', '{ "provider": "@openai-prod", "weight": 70 }', '{ "provider": "@azure-prod" }'),
    right: group('loadbalance', '{ "provider": "@openai-prod", "weight": 2 }', '{ "provider": "@azure-prod" }'),
  },
  'unread-glob': {
    cause: 'Values are compared as they are, and patterns are regular expressions: a star is no wildcard in either.',
    remedy: 'Write "$regex" with a pattern such as "^gpt-".',
    wrong: routed(['"conditions": [{ "query": { "params.model": "gpt-*" }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "params.model": { "$regex": "^gpt-" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'matches-any-text': {
    cause: 'A pattern whose every part may be empty is found in every text.',
    remedy: 'Write a pattern that asks for something, or "$exists".',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "(gold)?" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$regex": "^(gold)?$" } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'null-comparison': {
    cause: 'A label or parameter that is not sent is missing, and nothing that is missing is null.',
    remedy: 'Write "$exists" with false in place of null.',
    wrong: routed(['"conditions": [{ "query": { "metadata.tier": null }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "metadata.tier": { "$exists": false } }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'stray-blank': {
    cause: 'A blank at the end of a key or value is a part of it, so that it is equal to nothing that requests send.',
    remedy: 'Remove the blank.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.tier ": "gold" }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.tier": "gold" }, "then": "careful" }]', '"default": "fast"']),
  },
  'nested-label': {
    cause: 'Labels have no members: each is a string, a number, true or false.',
    remedy: 'Send a label of its own, such as "beta", and test that.',
    wrong: routed([
      '"conditions": [{ "query": { "metadata.features.beta": true }, "then": "careful" }]',
      '"default": "fast"',
    ]),
    right: routed(['"conditions": [{ "query": { "metadata.beta": true }, "then": "careful" }]', '"default": "fast"']),
  },
  'undeclared-label': {
    cause: 'Where the gateway file declares labels, one that it does not have is misspelt or is sent by nobody.',
    remedy: 'Write a declared label, or declare this one under "metadata" of the gateway file.',
    wrong: routed(['"conditions": [{ "query": { "metadata.paln": "gold" }, "then": "careful" }]', '"default": "fast"']),
    right: routed([
      '"conditions": [{ "query": { "metadata._user": "alice", "metadata.plan": "gold", "params.paln": 1 }, "then": "careful" }]',
      '"default": "fast"',
    ]),
  },
  'undeclared-value': {
    cause: 'The gateway file says which values a label has, and this is none of them.',
    remedy: 'Write one of these values, or add this one to what the gateway file declares.',
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
