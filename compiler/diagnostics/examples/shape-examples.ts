import type { shapeDiagnostics } from '../table/shape-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group } from './example-configs.ts';

/** The text of a config, and the types of its members. */
export const shapeExamples: { readonly [Code in keyof typeof shapeDiagnostics]: CodeExample } = {
  'syntax-error': {
    cause: 'A parser cannot read the text, so that nothing of it can be checked.',
    remedy:
      'Correct the text at the place that is marked; a comma that is missing or one too many is the most frequent reason.',
    wrong: ['{', '  "provider": "@openai-prod"', '  "retry": { "attempts": 2 }', '}'],
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2 }'),
  },
  'duplicate-key': {
    cause: 'A parser keeps one of two equal keys and drops the other without a word.',
    remedy: 'Keep one of them.',
    wrong: config('"provider": "@openai-prod"', '"request_timeout": 1000', '"request_timeout": 2000'),
    right: config('"provider": "@openai-prod"', '"request_timeout": 2000'),
  },
  'wrong-file': {
    cause:
      'Configs, gateway files and plans are different kinds of files, and this one stands where another kind is read.',
    remedy: 'Name the file of the right kind, or move its settings there.',
    wrong: ['{ "configs": "configs", "plugins": [] }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'unknown-key': {
    cause: 'A setting that nothing reads would be dropped without a word.',
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
    cause: 'The setting knows a list of words, and this is none of them.',
    remedy: 'Write one of the words that the hint lists.',
    wrong: group('loadbalanced', '{ "provider": "@openai-prod" }'),
    right: group('loadbalance', '{ "provider": "@openai-prod" }'),
  },
  'missing-key': {
    cause: 'The settings of this object have no meaning without the one that is missing.',
    remedy: 'Add the missing key.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "on_status_codes": [429] }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 2, "on_status_codes": [429] }'),
  },
  'out-of-range': {
    cause: 'A number outside of these bounds would have no effect, or would cost more than anybody wants.',
    remedy: 'Write a number within the bounds.',
    wrong: config('"provider": "@openai-prod"', '"retry": { "attempts": 6 }'),
    right: config('"provider": "@openai-prod"', '"retry": { "attempts": 5 }'),
  },
  'wrong-size': {
    cause: 'A list or a text has too few or too many elements to have a meaning.',
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
    cause: 'A text has to have a certain form here.',
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
    cause: 'Each parameter of the check is right by itself, but not together with another one.',
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
