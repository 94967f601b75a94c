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
    text: 'This config is too large for a request: its targets, with the settings and checks of each, add up to {count}, but at most {limit} are allowed.',
    hint: 'Remove targets or guardrails, shorten what all targets inherit, or ask the operator to save the config.',
  },
  'patterns-too-large': {
    severity: 'error',
    text: 'Taken together, the patterns of this config are too large to be compiled for a request.',
    hint: 'Use fewer patterns, smaller counts, or fewer Unicode classes. A config that is saved on the gateway may have more.',
  },
  'too-many-element-tests': {
    severity: 'error',
    text: 'Taken together, the conditions of this config test list elements in too many ways for a request.',
    hint: 'Use fewer tests within "$elemMatch", and fewer values in "$all". A config in a file of the operator may have more.',
  },
  'setting-of-root': {
    severity: 'error',
    text: '"{setting}" applies to a whole request, so a target cannot have it.',
    hint: '{suggestion}',
  },
  'not-portable': {
    severity: 'warning',
    text: 'Other gateways for this format do not support {what}.',
    hint: '{suggestion}',
  },
  'mirror-of-group': {
    severity: 'error',
    text: 'The target of a mirror cannot be a group.',
    hint: 'Name a provider instead of "strategy" and "targets".',
  },
  'mirror-setting': {
    severity: 'error',
    text: 'The target of a mirror cannot have "{setting}": {why}.',
    hint: 'Remove "{setting}".',
  },
  'mirror-credential': {
    severity: 'error',
    text: 'A config that is sent with a request can mirror only with its own credentials, but "{name}" is saved.',
    hint: 'Give the target of the mirror a provider with its own key, or ask the operator to save the config.',
  },
  'mirror-of-itself': {
    severity: 'warning',
    text: 'This mirror calls the same target as the request itself, so a copy shows nothing new.',
    hint: 'Name another provider or model as its target, or remove the mirror.',
  },
  'unknown-mirror-check': {
    severity: 'error',
    text: 'There is no check and no saved guardrail "{name}".',
    hint: '{suggestion}',
  },
  'nothing-to-compare': {
    severity: 'error',
    text: 'The check "{check}" compares the answer of a mirror with that of the client, but there is no mirror here.',
    hint: 'Move it to the "checks" of a mirror.',
  },
  'requests-only': {
    severity: 'warning',
    text: '"{parameter}": "{value}" works only in requests: what it removes from an answer is not restored for the client.',
    hint: 'Write another value here, such as "redact", which removes it for good, or move the check to "input_guardrails".',
  },
  'no-effect': {
    severity: 'warning',
    text: '"{setting}" has no effect here: {why}.',
    hint: '{suggestion}',
  },
  'late-hedge': {
    severity: 'warning',
    text: 'The next target is never called after {afterMs} ms, because {what} ends at {ms} ms.',
    hint: 'Write a smaller number of milliseconds.',
  },
  'late-retries': {
    severity: 'warning',
    text: 'Retry {retry} is never made: the waits before it take at least {ms} ms together, and the "deadline_ms" of the request is {deadlineMs}.',
    hint: 'Write fewer "attempts", or a later "deadline_ms".',
  },
  'no-circuits': {
    severity: 'warning',
    text: '"{setting}" {does} circuits, but no target here has a "cb_config", so there are none.',
    hint: 'Add a "cb_config" next to it, or remove it.',
  },
  'operators-setting': {
    severity: 'error',
    text: 'Only a config in one of the gateway\'s own files can have "{setting}".',
    hint: '{suggestion}',
  },
  'no-vectors': {
    severity: 'warning',
    text: 'This cache answers only equal requests, as "simple" does, because the gateway file names no provider for embeddings.',
    hint: 'Set "provider" and "model" under "cache.semantic" in the gateway file, or use the mode "simple".',
  },
  'header-not-forwarded': {
    severity: 'warning',
    text: 'The header "{header}" is never forwarded.',
    hint: 'Remove it; headers of the gateway, of the connection and of AWS signatures are not forwarded.',
  },
  'invalid-header-name': {
    severity: 'error',
    text: '"{header}" is not a valid header name.',
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
    text: 'The provider "{provider}" does not accept the parameter "{parameter}": {why}.',
    hint: '{suggestion}',
  },
  'setting-out-of-range': {
    severity: 'warning',
    text: 'The provider "{provider}" does not accept this value of "{parameter}": translated requests get another value, and other requests are rejected.',
    hint: '{suggestion}',
  },
  'replaced-prompt': {
    severity: 'warning',
    text: 'This "{parameter}" replaces that of every request, so all callers send the same.',
    hint: 'Remove it. The check "default.addPrefix" and stored prompts add instructions to what callers send.',
  },
  'prefixed-model': {
    severity: 'warning',
    text: 'Models of "{provider}" have no names like "{model}".',
    hint: 'Write "{suggested}".',
  },
  'misspelt-model': {
    severity: 'warning',
    text: '"{provider}" has no known model "{model}".',
    hint: 'Did you mean "{suggested}"? If the provider does have "{model}", add it under "model_facts" in the gateway file.',
  },
  'closed-provider': {
    severity: 'warning',
    text: 'The vendor of "{provider}" closed this service on {day}.',
    hint: 'Name another provider, or set "custom_host" to the host that serves it now.',
  },
  'deprecated-model': {
    severity: 'warning',
    text: 'The model "{model}" is deprecated: "{provider}" may reject it from {day} on.',
    hint: 'Name a model that is not deprecated: {listing} lists models, with the day of each. If the day is wrong, correct it under "model_facts" in the gateway file.',
  },
  'unknown-abilities': {
    severity: 'warning',
    text: 'Nothing is known about what the models of these targets can do ({models}), so "require" skips a target only if a request cannot be sent to its provider.',
    hint: 'Add what they can do under "model_facts" in the gateway file, or remove "require".',
  },
  'foreign-model': {
    severity: 'warning',
    text: 'The model "{model}" belongs to "{owner}", but the target calls the provider "{provider}".',
    hint: 'Name a model of "{provider}", or change the provider.',
  },
  'model-not-allowed': {
    severity: 'warning',
    text: 'The saved provider "{slug}" does not allow the model "{model}", so requests for it are rejected.',
    hint: 'Name a model that it allows, or allow this one: gw integrations models shows the list of an integration.',
  },
  'mixed-embedding-models': {
    severity: 'warning',
    text: 'The same requests may go to the embedding models "{first}" and "{model}", whose vectors cannot be compared.',
    hint: 'Name the same model in all targets of the group; they can differ in provider, region or credential.',
  },
  'unjudged-answers': {
    severity: 'warning',
    text: 'Checks on answers never run for "{model}", because its answers are vectors without text.',
    hint: 'Remove it; to check the texts that are sent, use "input_guardrails".',
  },
  'inherited-model': {
    severity: 'warning',
    text: 'This target sends the model that the caller asked for, which the provider "{provider}" may not have.',
    hint: 'Set "model" in its override_params, as the other targets do.',
  },
} as const;
