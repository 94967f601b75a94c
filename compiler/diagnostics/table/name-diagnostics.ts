/** Names in a config, and the things that they refer to. */
export const nameDiagnostics = {
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
  'repeated-name': {
    severity: 'warning',
    text: 'The target {other} also has the name "{name}", so the name identifies neither of them.',
    hint: 'Give each target a different name. Until then, plans, logs, metrics and gw simulate identify them by provider and place, as in "openai#targets.0".',
  },
  'missing-default': {
    severity: 'error',
    text: 'A conditional strategy requires "default", the target that is used when no condition matches.',
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
  'one-target': {
    severity: 'warning',
    text: 'This {mode} has only one target, so {why}.',
    hint: 'Add another target, or write this one without the strategy.',
  },
  'equal-targets': {
    severity: 'warning',
    text: 'This target is equal to target {first}, so {consequence}.',
    hint: '{suggestion}',
  },
  'one-way': {
    severity: 'warning',
    text: 'All conditions and the default lead to {what}, so the conditions make no difference.',
    hint: 'Name another target in one of them, or write the target without a strategy.',
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
  'overlapping-conditions': {
    severity: 'warning',
    text: 'Conditions {first} and {second} both match if "{path}" is {value}, and condition {first} wins.',
    hint: 'Change one of them so that they do not overlap, or put the condition that should win before the other.',
  },
  'constant-condition': {
    severity: 'warning',
    text: 'This condition always matches, so nothing after it is used.',
    hint: 'Write a query that tests something, or make its target the "default".',
  },
  'unknown-provider': {
    severity: 'error',
    text: 'There is no provider "{provider}".',
    hint: '{suggestion}',
  },
  'unsaved-settings': {
    severity: 'error',
    text: 'The provider "{provider}" has settings that only a saved provider can have: {why}.',
    hint: 'Save it under "providers" in the gateway file, with these "settings", and write its name here: "@…".',
  },
  'unknown-saved-provider': {
    severity: 'error',
    text: 'No provider is saved as "{slug}".',
    hint: '{suggestion}',
  },
  'unusable-provider': {
    severity: 'error',
    text: 'The {what} "{slug}" {why}.',
    hint: 'Name another one, or {remedy}.',
  },
  'other-provider-model': {
    severity: 'error',
    text: 'The model "@{slug}/{model}" names the saved provider "{slug}", but the target calls "{provider}".',
    hint: 'Write the model without "@{slug}/", or remove the provider of the target.',
  },
  'model-left-open': {
    severity: 'error',
    text: 'The virtual model "{name}" uses this config, but this target sets no {what}.',
    hint: '{suggestion}',
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
  'unknown-balance': {
    severity: 'error',
    text: 'There is no balancing method "{balance}".',
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
    text: 'The prompt "{reference}" is sent to the {what} "{slug}", which {why}.',
    hint: 'Write a "provider" or "virtual_key" next to "prompt_id", or choose another one in the prompt.',
  },
  'no-stored-prompts': {
    severity: 'error',
    text: '"prompt_id" names a stored prompt, but there are none here.',
    hint: 'Save the config in a gateway with a store (gw serve --store), or send it there with a key of a workspace that has prompts.',
  },
  'too-many-prompts': {
    severity: 'error',
    text: 'A config can name at most {limit} different prompts.',
    hint: 'Use fewer of them, or write several configs.',
  },
  'feature-not-available': {
    severity: 'error',
    text: '"{setting}" requires {feature}, which none of the loaded plugins provides.',
    hint: 'Remove "{setting}", or load a plugin that provides {feature}.',
  },
} as const;
