/** Guardrails of targets, limits of size, headers, durations and parameters. */
export const settingDiagnostics = {
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
  'too-many-element-tests': {
    severity: 'error',
    text: 'The conditions of this config test the elements of lists in too many ways, taken together, for a request.',
    hint: 'Use fewer tests within "$elemMatch", and fewer values in "$all"; a config in a file of the operator may have more.',
  },
  'setting-of-root': {
    severity: 'error',
    text: '"{setting}" is for a whole request, so that a target cannot have it.',
    hint: '{suggestion}',
  },
  'not-portable': {
    severity: 'warning',
    text: 'Other gateways for this format do not know {what}.',
    hint: '{suggestion}',
  },
  'mirror-of-group': {
    severity: 'error',
    text: 'The target of a mirror is one target, and this is a group.',
    hint: 'Name a provider in place of "strategy" and "targets".',
  },
  'mirror-setting': {
    severity: 'error',
    text: 'The target of a mirror cannot have "{setting}": {why}.',
    hint: 'Remove "{setting}".',
  },
  'mirror-credential': {
    severity: 'error',
    text: 'A config of a request mirrors only with credentials that it brings itself, and "{name}" is saved.',
    hint: 'Give the target of the mirror a provider with its own key, or ask the operator to save the config.',
  },
  'mirror-of-itself': {
    severity: 'warning',
    text: 'This mirror calls what the request itself calls, so that a copy shows nothing else.',
    hint: 'Name another provider or model as its target, or remove the mirror.',
  },
  'unknown-mirror-check': {
    severity: 'error',
    text: 'There is no check and no saved guardrail "{name}".',
    hint: '{suggestion}',
  },
  'nothing-to-compare': {
    severity: 'error',
    text: 'The check "{check}" compares the answer of a mirror with that of the client, and there is no mirror here.',
    hint: 'Move it to the "checks" of a mirror.',
  },
  'requests-only': {
    severity: 'warning',
    text: '"{parameter}": "{value}" does in requests alone what it says: what is taken out of an answer is not given back to its client.',
    hint: 'Write another value here, such as "redact", which leaves it out for good, or move the check to "input_guardrails".',
  },
  'no-effect': {
    severity: 'warning',
    text: '"{setting}" has no effect here: {why}.',
    hint: '{suggestion}',
  },
  'late-hedge': {
    severity: 'warning',
    text: 'The next target is never asked after {afterMs} ms: {what} ends at {ms} ms.',
    hint: 'Write fewer milliseconds than that.',
  },
  'no-circuits': {
    severity: 'warning',
    text: '"{setting}" {does} circuits, and no target here has a "cb_config" that makes any.',
    hint: 'Add a "cb_config" beside it, or remove it.',
  },
  'operators-setting': {
    severity: 'error',
    text: 'Only a config in one of the gateway\'s own files can have "{setting}".',
    hint: '{suggestion}',
  },
  'no-vectors': {
    severity: 'warning',
    text: 'This cache answers only equal requests, as "simple" does: the gateway file names no provider that makes vectors of texts.',
    hint: 'Name its "provider" and "model" under "cache.semantic" in the gateway file, or write the mode "simple".',
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
  'setting-out-of-range': {
    severity: 'warning',
    text: 'The provider "{provider}" does not take this value of "{parameter}": translated requests are sent another one, and it refuses others.',
    hint: '{suggestion}',
  },
  'replaced-prompt': {
    severity: 'warning',
    text: 'This "{parameter}" replaces that of every request, so that all callers ask the same.',
    hint: 'Remove it. The check "default.addPrefix" and stored prompts add instructions to what callers send.',
  },
  'prefixed-model': {
    severity: 'warning',
    text: 'Models of "{provider}" have no names like "{model}".',
    hint: 'Write "{suggested}".',
  },
  'misspelt-model': {
    severity: 'warning',
    text: 'No model "{model}" of "{provider}" is known here.',
    hint: 'Did you mean "{suggested}"? If the provider has "{model}", state it under "model_facts" in the gateway file.',
  },
  'closed-provider': {
    severity: 'warning',
    text: 'The vendor of "{provider}" closed this service on {day}.',
    hint: 'Name another provider, or the host that serves it now as "custom_host".',
  },
  'deprecated-model': {
    severity: 'warning',
    text: 'The model "{model}" is deprecated: "{provider}" may refuse it from {day} on.',
    hint: 'Name a model that stays: {listing} lists models, with the day of each. If the day is wrong, state the right one under "model_facts" in the gateway file.',
  },
  'unknown-abilities': {
    severity: 'warning',
    text: 'Nothing is known of what the models of these targets can do ({models}), so "require" leaves out only what their providers cannot be sent.',
    hint: 'State what they can do under "model_facts" in the gateway file, or remove "require".',
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
  'mixed-embedding-models': {
    severity: 'warning',
    text: 'The same requests may go to the embedding models "{first}" and "{model}", whose vectors cannot be compared.',
    hint: 'Name one model in all targets of the group: another provider, region or credential may have it too.',
  },
  'unjudged-answers': {
    severity: 'warning',
    text: 'No check on answers judges those of "{model}": they are vectors, and have no text.',
    hint: 'Remove it, and write checks of the texts that are sent in "input_guardrails".',
  },
  'inherited-model': {
    severity: 'warning',
    text: 'This target sends the model that the caller asked for, which the provider "{provider}" may not have.',
    hint: 'Set "model" in its override_params, as the other targets do.',
  },
} as const;
