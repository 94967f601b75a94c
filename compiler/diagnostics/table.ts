import type { Severity } from '../../schema/errors/diagnostic.ts';
import type { MessageParams } from '../../schema/text/message.ts';

interface DiagnosticRow {
  readonly severity: Severity;
  /** One full sentence: the fact. */
  readonly text: string;
  /** Says what to do. */
  readonly hint: string;
}

/** Everything the compiler may say. Codes are stable; texts may be improved. */
export const diagnosticTable = {
  // The text
  'syntax-error': {
    severity: 'error',
    text: 'This is not valid JSON: {why}.',
    hint: '{suggestion}',
  },
  'duplicate-key': {
    severity: 'error',
    text: 'The key "{key}" appears twice in the same object.',
    hint: 'Keep one of the two; JSON parsers use the last one.',
  },
  'wrong-file': { severity: 'error', text: 'This is {found}, not {wanted}.', hint: '{suggestion}' },
  // The shape
  'unknown-key': {
    severity: 'error',
    text: '"{key}" is not a setting here.',
    hint: '{suggestion}',
  },
  'wrong-type': {
    severity: 'error',
    text: '{what} must be {expected}, not {found}.',
    hint: '{suggestion}',
  },
  'not-in-list': { severity: 'error', text: '{what} cannot be {value}.', hint: '{suggestion}' },
  'missing-key': {
    severity: 'error',
    text: '{what} requires {keys}.',
    hint: 'Add {keys}.',
  },
  'out-of-range': {
    severity: 'error',
    text: '{what} must be {bound}, not {value}.',
    hint: '{suggestion}',
  },
  'wrong-size': {
    severity: 'error',
    text: '{what} must have {bound}.',
    hint: '{suggestion}',
  },
  'wrong-form': {
    severity: 'error',
    text: '{what} must be {form}.',
    hint: 'Write {form}.',
  },
  'invalid-parameters': {
    severity: 'error',
    text: 'The parameters of {check} cannot be used: {why}.',
    hint: 'Correct them; the documentation of the check says which belong together.',
  },
  'no-valid-combination': {
    severity: 'error',
    text: '{what} does not say where requests go: it has no {missing}.',
    hint: '{suggestion}',
  },
  // What names refer to
  'unknown-target': {
    severity: 'error',
    text: '{who} names the target "{name}", but no target here has that name.',
    hint: '{suggestion}',
  },
  'ambiguous-target': {
    severity: 'error',
    text: '{who} names the target "{name}", but {count} targets here have that name.',
    hint: 'Give each target a different name.',
  },
  'missing-default': {
    severity: 'error',
    text: 'A conditional strategy requires "default", the target that is used when no condition holds.',
    hint: 'Add "default" with the name of a target.',
  },
  'missing-conditions': {
    severity: 'error',
    text: 'A conditional strategy requires "conditions".',
    hint: 'Add a list of conditions, each with "query" and "then".',
  },
  'missing-targets': {
    severity: 'error',
    text: 'The strategy "{mode}" has no targets to choose from.',
    hint: 'Add at least one target.',
  },
  'missing-strategy': {
    severity: 'error',
    text: '{what} has targets, but no strategy to choose among them.',
    hint: 'Add a "strategy", for instance with the mode "fallback".',
  },
  'unused-target': {
    severity: 'warning',
    text: 'No condition names this target, and it is not the default, so it is never used.',
    hint: 'Name it in a condition, or remove it.',
  },
  'unreachable-target': {
    severity: 'warning',
    text: 'This target is never used: {why}.',
    hint: '{suggestion}',
  },
  'unreachable-condition': {
    severity: 'warning',
    text: 'This condition never chooses its target: {why}.',
    hint: '{suggestion}',
  },
  'constant-condition': {
    severity: 'warning',
    text: 'This condition always holds, so nothing after it is used.',
    hint: 'Write a query that tests something, or make its target the "default".',
  },
  'unknown-provider': {
    severity: 'error',
    text: 'There is no provider "{provider}".',
    hint: '{suggestion}',
  },
  'unsaved-settings': {
    severity: 'error',
    text: 'The provider "{provider}" has settings that only a saved provider can give: {why}.',
    hint: 'Save it under "providers" in the gateway file, with these "settings", and write its name here: "@…".',
  },
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
  'unknown-virtual-key': {
    severity: 'error',
    text: 'There is no virtual key "{id}".',
    hint: '{suggestion}',
  },
  'unknown-guardrail': {
    severity: 'error',
    text: 'No guardrail is saved as "{slug}".',
    hint: '{suggestion}',
  },
  'unknown-check': {
    severity: 'error',
    text: 'There is no check "{check}".',
    hint: '{suggestion}',
  },
  'unknown-prompt': {
    severity: 'error',
    text: 'There is no prompt "{reference}".',
    hint: '{suggestion}',
  },
  'unusable-prompt': {
    severity: 'error',
    text: 'The prompt "{reference}" is sent to the {what} "{slug}", which is not saved.',
    hint: 'Write a "provider" or "virtual_key" beside "prompt_id", or give the prompt another one.',
  },
  'no-stored-prompts': {
    severity: 'error',
    text: '"prompt_id" names a stored prompt, and there are none here.',
    hint: 'Save the config in a gateway with a store (gw serve --store), or send it there with a key of a workspace that has prompts.',
  },
  'too-many-prompts': {
    severity: 'error',
    text: 'A config names at most {limit} different prompts.',
    hint: 'Use fewer of them, or write several configs.',
  },
  'feature-not-available': {
    severity: 'error',
    text: '"{setting}" requires {feature}, which none of the loaded plugins provides.',
    hint: 'Remove "{setting}", or load a plugin that provides {feature}.',
  },
  // Weights
  'zero-weight': {
    severity: 'warning',
    text: 'A target with weight 0 is never chosen.',
    hint: 'Give it a weight above 0, or remove it.',
  },
  'negative-weight': { severity: 'error', text: 'A weight cannot be negative.', hint: 'Write 0 or more.' },
  'all-zero-weights': {
    severity: 'error',
    text: 'Every target here has weight 0, so none can be chosen.',
    hint: 'Give at least one target a weight above 0.',
  },
  'uneven-weights': {
    severity: 'error',
    text: 'These weights differ too much in size to be represented exactly.',
    hint: 'Use weights with fewer digits.',
  },
  'mixed-weights': {
    severity: 'warning',
    text: 'The weights here mix two scales: a weight of {share} beside {other} gets only {percent} % of the requests.',
    hint: '{suggestion}',
  },
  // Statuses
  'impossible-status': {
    severity: 'warning',
    text: 'The status {status} never occurs here: {why}.',
    hint: '{suggestion}',
  },
  'success-status': {
    severity: 'warning',
    text: 'The status {status} is a success, so listing it would {consequence}.',
    hint: 'Remove it, unless this is what you want.',
  },
  'duplicate-item': {
    severity: 'warning',
    text: '{what} appears more than once in "{list}".',
    hint: '{suggestion}',
  },
  'empty-trigger': {
    severity: 'warning',
    text: 'With an empty "on_status_codes" the fallback never tries its next target.',
    hint: 'List statuses, or remove the setting; the fallback then acts on every status other than 2xx.',
  },
  'retry-covers-nothing': {
    severity: 'warning',
    text: 'With an empty "on_status_codes" only network failures are retried.',
    hint: 'List statuses, or remove the setting; 429, 500, 502, 503, 504 and 529 are then retried.',
  },
  // Conditions
  'unknown-fact': {
    severity: 'error',
    text: 'A condition cannot test "{path}".',
    hint: '{suggestion}',
  },
  'unknown-operator': { severity: 'error', text: 'There is no operator "{operator}".', hint: '{suggestion}' },
  'wrong-operand': {
    severity: 'error',
    text: '"{operator}" takes {expected}, not {found}.',
    hint: '{suggestion}',
  },
  'empty-comparison': {
    severity: 'error',
    text: 'This condition does not compare "{path}" with anything.',
    hint: 'Write a value, or an object with an operator such as "$eq".',
  },
  'invalid-regex': {
    severity: 'error',
    text: 'This is not a valid pattern: {why}.',
    hint: '{suggestion}',
  },
  'slashed-pattern': {
    severity: 'warning',
    text: 'The slashes and the flags are a part of this pattern, so that it finds only texts that have them.',
    hint: 'Write "{pattern}"; flags stand at the beginning, as in (?i).',
  },
  'unequal-type': {
    severity: 'warning',
    text: '"{path}" never equals this string: requests carry {kind} there, and nothing is converted.',
    hint: 'Write the value without quotes.',
  },
  // Credentials and hosts
  'missing-provider': {
    severity: 'error',
    text: '{what} names no provider.',
    hint: 'Add a provider with its credential, or a virtual_key; targets do not inherit either of them.',
  },
  'missing-credentials': {
    severity: 'error',
    text: 'The provider "{provider}" requires a credential, and {what} has none.',
    hint: '{suggestion}',
  },
  'empty-credential': {
    severity: 'error',
    text: '"{setting}" is empty, and the provider "{provider}" requires a credential.',
    hint: '{suggestion}',
  },
  'mixed-credentials': {
    severity: 'error',
    text: '{what} has both "{first}" and "{second}", so it is unclear which credential to use.',
    hint: 'Keep one of the two.',
  },
  'conflicting-spellings': {
    severity: 'error',
    text: '"{first}" and "{second}" are two spellings of one setting, and have different values here.',
    hint: 'Keep one of the two.',
  },
  'authorization-scheme': {
    severity: 'error',
    text: '"Authorization" is neither an API key nor "Bearer " and an API key.',
    hint: 'Write the key of the provider, which is then sent in the way that its API asks for.',
  },
  'inline-secret': {
    severity: 'error',
    text: 'This file contains a secret.',
    hint: '{suggestion}',
  },
  'credential-in-parameters': {
    severity: 'error',
    text: 'This parameter has the form of a credential ({whose}), and would be written into the plan.',
    hint: '{suggestion}',
  },
  'malformed-reference': {
    severity: 'error',
    text: 'This reference is malformed: {why}.',
    hint: '{suggestion}',
  },
  'misplaced-reference': {
    severity: 'error',
    text: '"{setting}" does not take a reference; only secrets do.',
    hint: 'Write the value itself.',
  },
  'unread-reference': {
    severity: 'warning',
    text: 'This reference is used as plain text, because only secrets can be references.',
    hint: 'Write the value itself.',
  },
  'foreign-secret': {
    severity: 'warning',
    text: 'This secret is named after "{other}", but the target calls the provider "{provider}".',
    hint: 'Check that it is the credential of "{provider}".',
  },
  'reference-not-allowed': {
    severity: 'error',
    text: "Only a config in one of the gateway's own files can refer to its environment or files.",
    hint: 'Send the value itself, or name a provider that is saved in the gateway.',
  },
  'credential-origin-mismatch': {
    severity: 'error',
    text: 'A saved credential cannot be sent to a host that a config chooses with "{setting}".',
    hint: 'Send your own credential with that host, or leave "{setting}" out.',
  },
  'invalid-custom-host': {
    severity: 'error',
    text: 'This is not a valid base URL: {why}.',
    hint: '{suggestion}',
  },
  'missing-base-url': {
    severity: 'warning',
    text: 'The provider "{provider}" cannot be called as configured: {why}',
    hint: '{suggestion}',
  },
  'missing-deployment': {
    severity: 'warning',
    text: 'This target of "{provider}" has neither "deployment_id" nor "api_version", so each request has to name a deployment as its model.',
    hint: 'Add both, or a list of "deployments".',
  },
  'missing-version': {
    severity: 'warning',
    text: 'A custom_host replaces the whole base URL, and this one has no path such as "{path}".',
    hint: 'Add the version segment unless the host serves {operation} without one.',
  },
  'operation-in-host': {
    severity: 'warning',
    text: 'The path of the operation is added to a custom_host, and this one already ends with "{path}".',
    hint: 'Remove "{path}" from it.',
  },
  'clear-text-credential': {
    severity: 'warning',
    text: 'The credential is sent to {host} unencrypted.',
    hint: 'Use https, or a host on your own network.',
  },
  'replaced-credential': {
    severity: 'warning',
    text: 'The "authorization" header of the caller replaces the credential of {what}.',
    hint: 'Remove "authorization" from "forward_headers", or the credential from the target.',
  },
  'forwarded-credential': {
    severity: 'warning',
    text: 'The header "{header}" of the caller carries a credential, and is sent to {count} targets.',
    hint: 'Move "forward_headers" into the targets that the credential is for.',
  },
  // Guardrails
  'wrong-phase': {
    severity: 'error',
    text: 'The check "{check}" cannot run on {phase}.',
    hint: 'Move it to {other}.',
  },
  'replaced-guardrails': {
    severity: 'warning',
    text: 'This target has its own list, so the inherited {guardrails} not run here.',
    hint: 'Repeat {names} in the list of this target, unless this is what you want.',
  },
  'contradicting-deny': {
    severity: 'warning',
    text: '"deny" is true, so "deny": false in "on_fail" has no effect.',
    hint: 'Keep one of the two.',
  },
  // Limits, headers and parameters
  'nested-too-deep': {
    severity: 'error',
    text: 'The targets are nested more than {limit} levels deep.',
    hint: 'Put groups side by side, or split the config.',
  },
  'too-many-targets': {
    severity: 'error',
    text: 'There are {count} targets here; at most {limit} are allowed.',
    hint: 'Remove some, or split the config.',
  },
  'config-too-large': {
    severity: 'error',
    text: 'This config is too large for a request: its targets, with the settings and checks at each of them, add up to {count}, and at most {limit} are allowed.',
    hint: 'Remove targets or guardrails, shorten what all targets inherit, or ask the operator to save the config.',
  },
  'patterns-too-large': {
    severity: 'error',
    text: 'The patterns of this config are too large, taken together, to be compiled for a request.',
    hint: 'Use fewer patterns, smaller counts, or fewer Unicode classes; a config that the gateway has saved may have more.',
  },
  'no-effect': {
    severity: 'warning',
    text: '"{setting}" has no effect here: {why}.',
    hint: '{suggestion}',
  },
  'header-not-forwarded': {
    severity: 'warning',
    text: 'The header "{header}" is never forwarded.',
    hint: 'Remove it; headers that belong to the gateway, to the connection or to a signature of AWS are not passed on.',
  },
  'invalid-header-name': {
    severity: 'error',
    text: '"{header}" is not the name of a header.',
    hint: '{suggestion}',
  },
  'unlikely-duration': {
    severity: 'warning',
    text: '"{setting}" is in {unit}, so this is {duration}.',
    hint: '{suggestion}',
  },
  'unlikely-parameter': {
    severity: 'warning',
    text: 'Providers expect "{parameter}" to be {expected}, not {found}.',
    hint: '{suggestion}',
  },
  'unknown-parameter': {
    severity: 'warning',
    text: '"{parameter}" is not a parameter of a request.',
    hint: '{suggestion}',
  },
  'setting-not-carried': {
    severity: 'warning',
    text: 'The provider "{provider}" does not take the parameter "{parameter}": {why}.',
    hint: '{suggestion}',
  },
  'foreign-model': {
    severity: 'warning',
    text: 'The model "{model}" belongs to "{owner}", but the target calls the provider "{provider}".',
    hint: 'Name a model of "{provider}", or change the provider.',
  },
  'model-not-allowed': {
    severity: 'warning',
    text: 'The saved provider "{slug}" does not allow the model "{model}", so that its requests are refused.',
    hint: 'Name a model that it allows, or allow this one: gw integrations models shows the list of an integration.',
  },
  'inherited-model': {
    severity: 'warning',
    text: 'This target sends the model that the caller asked for, which the provider "{provider}" may not have.',
    hint: 'Set "model" in its override_params, as the other targets do.',
  },
} as const;
diagnosticTable satisfies Readonly<Record<string, DiagnosticRow>>;

export type DiagnosticCode = keyof typeof diagnosticTable;

/** The parameters of a code's text and hint. */
export type DiagnosticParams<Code extends DiagnosticCode> =
  MessageParams<`${(typeof diagnosticTable)[Code]['text']} ${(typeof diagnosticTable)[Code]['hint']}`>;
