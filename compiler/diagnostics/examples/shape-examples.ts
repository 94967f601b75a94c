import type { shapeDiagnostics } from '../table/shape-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group } from './example-configs.ts';

/** The text of a config, and the types of its members. */
export const shapeExamples: { readonly [Code in keyof typeof shapeDiagnostics]: CodeExample } = {
  'syntax-error': {
    cause: 'The text cannot be parsed, so none of it can be checked.',
    remedy: 'Correct the text at the marked place. The most frequent cause is a missing or extra comma.',
    wrong: ['{', '  "provider": "@openai-prod"', '  "retry": { "attempts": 2 }', '}'],
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2 }'),
  },
  'duplicate-key': {
    cause: 'Most parsers keep one of two equal keys and drop the other silently.',
    remedy: 'Keep one of them.',
    wrong: config('"provider": "@openai-prod"', '"request_timeout": 1000', '"request_timeout": 2000'),
    right: config('"provider": "@openai-prod"', '"request_timeout": 2000'),
  },
  'wrong-file': {
    cause:
      'Configs, gateway files and plans are different kinds of files, and this one is where another kind is expected.',
    remedy: 'Specify a file of the right kind, or move its settings there.',
    wrong: ['{ "configs": "configs", "plugins": [] }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'unknown-key': {
    cause: 'A setting that nothing reads would be dropped silently.',
    remedy: 'Correct its spelling, or remove it.',
    wrong: config('"provider": "@openai-prod"', '"request_time_out": 100'),
    right: config('"provider": "@openai-prod"', '"request_timeout": 100'),
  },
  'wrong-type': {
    cause: 'A value of another type has no meaning for this setting.',
    remedy: 'Write a value of the type that the message names.',
    wrong: config('"provider": "@openai-prod"', '"request_timeout": "30s"'),
    right: config('"provider": "@openai-prod"', '"request_timeout": 30000'),
  },
  'not-in-list': {
    cause: 'The setting accepts only certain words, and this is not one of them.',
    remedy: 'Write one of the words that the hint lists.',
    wrong: group('loadbalanced', '{ "provider": "@openai-prod" }'),
    right: group('loadbalance', '{ "provider": "@openai-prod" }'),
  },
  'missing-key': {
    cause: 'The settings of this object have no meaning without the missing key.',
    remedy: 'Add the missing key.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "on_status_codes": [429] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429] }'),
  },
  'out-of-range': {
    cause: 'A number outside this range would have no effect, or would cost far too much.',
    remedy: 'Write a number within the range.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 6 }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 5 }'),
  },
  'wrong-size': {
    cause: 'The list or string has too few or too many elements.',
    remedy: 'Add elements, or remove some.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.contains": { "words": [], "operator": "any" } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.contains": { "words": ["x"], "operator": "any" } }]',
    ),
  },
  'wrong-form': {
    cause: 'The string must have a certain form here.',
    remedy: 'Write it in the form that the message names.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"output_guardrails": [{ "default.validUrls": { "resolverURL": "dns" } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"output_guardrails": [{ "default.validUrls": { "resolverURL": "https://dns.example.com/query" } }]',
    ),
  },
  'invalid-parameters': {
    cause: 'Each parameter of the check is valid by itself, but not in combination with the others.',
    remedy: 'Correct them so that they agree.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.wordCount": { "minWords": 5, "maxWords": 3 } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.wordCount": { "minWords": 3, "maxWords": 5 } }]',
    ),
  },
  'no-valid-combination': {
    cause: 'The config has settings, but nothing that says where requests go.',
    remedy: 'Add a provider, a virtual key, or a strategy with targets.',
    wrong: ['{ "name": "prod" }'],
    right: ['{ "name": "prod", "provider": "@openai-prod" }'],
  },
};
