/** Credentials, and the hosts that they are sent to. */
export const credentialDiagnostics = {
  'missing-provider': {
    severity: 'error',
    text: '{what} names no provider.',
    hint: 'Add a provider with its credential, or a virtual_key; targets do not inherit either of them.',
  },
  'missing-credentials': {
    severity: 'error',
    text: 'The provider "{provider}" requires a credential, but {what} has none.',
    hint: '{suggestion}',
  },
  'empty-credential': {
    severity: 'error',
    text: '"{setting}" is empty, but the provider "{provider}" requires a credential.',
    hint: '{suggestion}',
  },
  'mixed-credentials': {
    severity: 'error',
    text: '{what} has both "{first}" and "{second}", so it is unclear which credential to use.',
    hint: 'Keep one of the two.',
  },
  'no-key-pool': {
    severity: 'error',
    text: 'The provider "{provider}" does not use an "api_key", so it cannot have several.',
    hint: 'Write one target for each credential, in a strategy of the mode "loadbalance".',
  },
  'empty-pool-key': {
    severity: 'error',
    text: 'A key is empty.',
    hint: 'Write the key, or remove it from the list.',
  },
  'repeated-key': {
    severity: 'warning',
    text: 'This key appears twice in the list.',
    hint: 'Keep one entry with the sum of both weights: two entries share the limits of the key.',
  },
  'no-key-weight': {
    severity: 'error',
    text: 'Every key here has weight 0, so none can be used.',
    hint: 'Give at least one key a weight above 0.',
  },
  'accounts-without-keys': {
    severity: 'error',
    text: '"accounts" assigns "keys" to accounts, but what is saved as "{slug}" has no "keys".',
    hint: 'Add "keys", or remove "accounts".',
  },
  'conflicting-spellings': {
    severity: 'error',
    text: '"{first}" and "{second}" are two spellings of the same setting, but have different values here.',
    hint: 'Keep one of the two.',
  },
  'authorization-scheme': {
    severity: 'error',
    text: '"Authorization" must be an API key, or "Bearer " followed by an API key.',
    hint: 'Write the key of the provider. The gateway sends it in the form that its API requires.',
  },
  'inline-secret': {
    severity: 'error',
    text: 'A secret must be a reference here, and this is not one.',
    hint: '{suggestion}',
  },
  'credential-in-parameters': {
    severity: 'error',
    text: 'This parameter looks like a credential ({whose}), and would be stored in the plan.',
    hint: '{suggestion}',
  },
  'malformed-reference': {
    severity: 'error',
    text: 'This reference is malformed: {why}.',
    hint: '{suggestion}',
  },
  'misplaced-reference': {
    severity: 'error',
    text: '"{setting}" cannot be a reference; only secrets can.',
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
    hint: 'Send your own credential for that host, or remove "{setting}".',
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
    text: 'A custom_host replaces the whole base URL, but this one does not end with a path such as "{path}".',
    hint: 'Write "{url}", unless the host serves {operations} without this path.',
  },
  'operation-in-host': {
    severity: 'warning',
    text: 'The path of the operation is appended to a custom_host, but this one already ends with "{path}".',
    hint: 'Remove "{path}" from it.',
  },
  'repeated-version': {
    severity: 'warning',
    text: 'The path of the operation is appended to a custom_host, so "/{segment}" appears twice in "{path}".',
    hint: 'Remove one "/{segment}" from the end of it.',
  },
  'clear-text-credential': {
    severity: 'warning',
    text: 'The credential is sent to {host} unencrypted.',
    hint: 'Use https, or a host on your own network.',
  },
  'untrusted-host': {
    severity: 'warning',
    text: 'The gateway does not call {host}, and answers requests that need it with 502: {reason}',
    hint: 'Add "{host}" to "trusted_hosts" of the gateway file, or to GW_TRUSTED_HOSTS, which replaces that list.',
  },
  'replaced-credential': {
    severity: 'warning',
    text: 'The "authorization" header of the caller replaces the credential of {what}.',
    hint: 'Remove "authorization" from "forward_headers", or the credential from the target.',
  },
  'forwarded-credential': {
    severity: 'warning',
    text: 'The header "{header}" of the caller contains a credential, and is sent to {count} targets.',
    hint: 'Move "forward_headers" into the targets that the credential is for.',
  },
} as const;
