import type { Severity } from '../../schema/diagnostic.ts';
import type { MessageParams } from '../../schema/message.ts';

interface DiagnosticRow {
  readonly severity: Severity;
  /** One full sentence: the fact. */
  readonly text: string;
  /** What to do. */
  readonly hint: string;
}

/** Everything the compiler may say. Codes are stable; texts may become better. */
export const diagnosticTable = {
  // The text
  'syntax-error': {
    severity: 'error',
    text: 'This is not valid JSON: {why}.',
    hint: 'Correct the text here; nothing else was checked.',
  },
  'duplicate-key': {
    severity: 'error',
    text: 'The key "{key}" stands twice in the same object.',
    hint: 'Keep one of the two; JSON takes the last.',
  },
  'wrong-file': { severity: 'error', text: 'This is {found}, not {wanted}.', hint: '{suggestion}' },
  // The shape
  'unknown-key': { severity: 'error', text: 'There is no setting "{key}" here.', hint: '{suggestion}' },
  'wrong-type': {
    severity: 'error',
    text: '{what} must be {expected}, not {found}.',
    hint: 'Write {expected}.',
  },
  'not-in-list': { severity: 'error', text: '{what} cannot be {value}.', hint: '{suggestion}' },
  'missing-key': { severity: 'error', text: '{what} needs "{key}".', hint: 'Add "{key}".' },
  'out-of-range': {
    severity: 'error',
    text: '{what} must be {bound}, not {value}.',
    hint: 'Write a number that is {bound}.',
  },
  'wrong-size': { severity: 'error', text: '{what} must have {bound}.', hint: 'Give it {bound}.' },
  'wrong-form': { severity: 'error', text: '{what} must be {form}.', hint: 'Write {form}.' },
  'no-valid-combination': {
    severity: 'error',
    text: '{what} says too little to send a request anywhere.',
    hint: 'Give it a provider with a credential, a virtual_key, or a strategy with targets.',
  },
  // What names refer to
  'unknown-target': {
    severity: 'error',
    text: '{who} names target "{name}", but no target here has that name.',
    hint: '{suggestion}',
  },
  'ambiguous-target': {
    severity: 'error',
    text: '{who} names target "{name}", but {count} targets here have that name.',
    hint: 'Give each target a name of its own.',
  },
  'missing-default': {
    severity: 'error',
    text: 'A conditional strategy needs "default", the target where no condition holds.',
    hint: 'Add "default" with the name of a target.',
  },
  'missing-conditions': {
    severity: 'error',
    text: 'A conditional strategy needs "conditions".',
    hint: 'Add a list of conditions, each with "query" and "then".',
  },
  'missing-targets': {
    severity: 'error',
    text: 'The strategy "{mode}" has no targets to choose from.',
    hint: 'Add at least one target.',
  },
  'missing-strategy': {
    severity: 'error',
    text: '{what} has targets, but no strategy that chooses among them.',
    hint: 'Add a strategy, for instance of mode "fallback".',
  },
  'unused-target': {
    severity: 'warning',
    text: 'No condition names this target, and it is not the default.',
    hint: 'Name it in a condition, or remove it.',
  },
  'unknown-provider': { severity: 'error', text: 'There is no provider "{provider}" here.', hint: '{suggestion}' },
  'unknown-saved-provider': {
    severity: 'error',
    text: 'No provider is saved as "{slug}".',
    hint: '{suggestion}',
  },
  'other-provider-model': {
    severity: 'error',
    text: 'The model "@{slug}/{model}" names the saved provider "{slug}", but the target calls "{provider}".',
    hint: 'Write the model without "@{slug}/", or remove the provider of the target.',
  },
  'unknown-virtual-key': { severity: 'error', text: 'There is no virtual key "{id}".', hint: '{suggestion}' },
  'unknown-guardrail': { severity: 'error', text: 'No guardrail is saved as "{slug}".', hint: '{suggestion}' },
  'unknown-check': { severity: 'error', text: 'There is no check "{check}" here.', hint: '{suggestion}' },
  'feature-not-available': {
    severity: 'error',
    text: 'No loaded plugin provides {feature}, which "{setting}" asks for.',
    hint: 'Remove "{setting}", or load a plugin that provides it.',
  },
  // Weights
  'zero-weight': {
    severity: 'warning',
    text: 'A target of weight 0 is never chosen.',
    hint: 'Give it a weight above 0, or remove it.',
  },
  'negative-weight': { severity: 'error', text: 'A weight cannot be negative.', hint: 'Write 0 or more.' },
  'all-zero-weights': {
    severity: 'error',
    text: 'All targets have weight 0, so that none can be chosen.',
    hint: 'Give at least one target a weight above 0.',
  },
  'uneven-weights': {
    severity: 'error',
    text: 'These weights are too far apart to be kept exactly.',
    hint: 'Use weights with fewer digits.',
  },
  // Statuses
  'impossible-status': {
    severity: 'warning',
    text: 'No answer has the status {status}.',
    hint: 'Statuses of answers are whole numbers from 200 to 599.',
  },
  'empty-trigger': {
    severity: 'warning',
    text: 'With an empty "on_status_codes" the fallback never tries its next target.',
    hint: 'List statuses, or remove it: then any status but 2xx does.',
  },
  'retry-covers-nothing': {
    severity: 'warning',
    text: 'With an empty "on_status_codes" only failures of the network are retried.',
    hint: 'List statuses, or remove it: then 429, 500, 502, 503, 504 and 529 are.',
  },
  // Conditions
  'unknown-fact': {
    severity: 'error',
    text: 'A condition cannot look at "{path}".',
    hint: '{suggestion}',
  },
  'unknown-operator': { severity: 'error', text: 'There is no operator "{operator}".', hint: '{suggestion}' },
  'wrong-operand': {
    severity: 'error',
    text: '"{operator}" compares with {expected}, not with {found}.',
    hint: 'Write {expected}.',
  },
  'empty-comparison': {
    severity: 'error',
    text: 'This condition compares "{path}" with nothing.',
    hint: 'Write a value, or an object with an operator such as "$eq".',
  },
  'invalid-regex': {
    severity: 'error',
    text: 'This is not a pattern that can be used: {why}.',
    hint: 'Use RE2 syntax, which takes time linear in the text: no look-arounds and no back-references.',
  },
  // Credentials and hosts
  'missing-provider': {
    severity: 'error',
    text: '{what} names no provider.',
    hint: 'Add a provider with its credential, or a virtual_key; what a group names does not reach its targets.',
  },
  'missing-credentials': {
    severity: 'error',
    text: 'The provider "{provider}" needs a credential, and {what} has none.',
    hint: 'Add {fields}, or use a saved provider ("@…").',
  },
  'mixed-credentials': {
    severity: 'error',
    text: '{what} has both "{first}" and "{second}", so that it is unclear which credential is meant.',
    hint: 'Keep one of the two.',
  },
  'inline-secret': {
    severity: 'error',
    text: 'A secret stands in this file.',
    hint: 'Write a reference instead: {forms}.',
  },
  'malformed-reference': {
    severity: 'error',
    text: 'This reference cannot be read.',
    hint: 'Write {forms}, with nothing around it.',
  },
  'misplaced-reference': {
    severity: 'error',
    text: '"{setting}" is not a secret, and references are read for secrets only.',
    hint: 'Write the value itself.',
  },
  'reference-not-allowed': {
    severity: 'error',
    text: "A config that comes with a request cannot refer to the gateway's environment or files.",
    hint: 'Send the value itself, or name a provider that the gateway has saved.',
  },
  'credential-origin-mismatch': {
    severity: 'error',
    text: 'A config that comes with a request cannot have "{setting}" beside a saved credential.',
    hint: 'Remove "{setting}", or send your own credential with it.',
  },
  'invalid-custom-host': {
    severity: 'error',
    text: 'This is not the base URL of a host: {why}.',
    hint: 'Write for instance https://models.example.com/v1.',
  },
  'missing-base-url': {
    severity: 'warning',
    text: 'The provider "{provider}" has no address here: {why}',
    hint: 'Add the setting that is missing, or a custom_host.',
  },
  // Guardrails
  'wrong-phase': {
    severity: 'error',
    text: 'The check "{check}" cannot run on {phase}.',
    hint: 'Move it to {other}.',
  },
  'streams-refused': {
    severity: 'warning',
    text: 'Output checks read whole answers, so that requests for a stream are refused here.',
    hint: 'Set override_params.stream to false if no caller asks for streams.',
  },
  // Limits and leftovers
  'nested-too-deep': {
    severity: 'error',
    text: 'Targets nest deeper than {limit} levels.',
    hint: 'Put groups side by side, or split the config.',
  },
  'too-many-targets': {
    severity: 'error',
    text: 'There are {count} targets here, and at most {limit} are allowed.',
    hint: 'Remove some, or split the config.',
  },
  'config-too-large': {
    severity: 'error',
    text: 'This config is too large for a request: its targets, with the settings and checks at each of them, add up to {count}, and at most {limit} are allowed.',
    hint: 'Remove targets or guardrails, or ask the operator to save the config.',
  },
  'patterns-too-large': {
    severity: 'error',
    text: 'The patterns of this config are too large, taken together, to be compiled for a request.',
    hint: 'Use fewer patterns, smaller counts, or fewer Unicode classes; a config that the gateway has saved may have more.',
  },
  'no-effect': { severity: 'warning', text: '"{setting}" has no effect here: {why}.', hint: 'Remove "{setting}".' },
  'forwarded-credential': {
    severity: 'warning',
    text: 'The client\'s header "{header}" carries a credential, and goes to {count} targets.',
    hint: 'Move "forward_headers" to the targets that the credential is for.',
  },
  'header-not-forwarded': {
    severity: 'warning',
    text: 'The header "{header}" is never forwarded.',
    hint: 'Remove it; headers of the gateway and of the connection stay here.',
  },
} as const;
diagnosticTable satisfies Readonly<Record<string, DiagnosticRow>>;

export type DiagnosticCode = keyof typeof diagnosticTable;

/** What a code's text and hint need. */
export type DiagnosticParams<Code extends DiagnosticCode> =
  MessageParams<`${(typeof diagnosticTable)[Code]['text']} ${(typeof diagnosticTable)[Code]['hint']}`>;
