/** Credentials, and the hosts that they are sent to. */
export const credentialDiagnostics = {
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
  'no-key-pool': {
    severity: 'error',
    text: 'The provider "{provider}" is not called with an "api_key", so it cannot have several.',
    hint: 'Write one target for each credential, in a load balance.',
  },
  'empty-pool-key': {
    severity: 'error',
    text: 'A key is empty.',
    hint: 'Write the key, or take it out of the list.',
  },
  'repeated-key': {
    severity: 'warning',
    text: 'This key is in the list twice.',
    hint: 'Give it one entry with the sum of both weights: two entries are limited together.',
  },
  'no-key-weight': {
    severity: 'error',
    text: 'Every key here has weight 0, so none can be used.',
    hint: 'Give at least one key a weight above 0.',
  },
  'accounts-without-keys': {
    severity: 'error',
    text: '"accounts" says whose "keys" are, and what is saved as "{slug}" has none.',
    hint: 'Add the "keys", or take "accounts" out.',
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
    text: 'A secret may stand here only as a reference, and this is none.',
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
    text: 'A custom_host replaces the whole base URL, and this one does not end with a path such as "{path}".',
    hint: 'Write "{url}", unless the host serves {operations} without this path.',
  },
  'operation-in-host': {
    severity: 'warning',
    text: 'The path of the operation is added to a custom_host, and this one already ends with "{path}".',
    hint: 'Remove "{path}" from it.',
  },
  'repeated-version': {
    severity: 'warning',
    text: 'The path of the operation is added to a custom_host, so that "/{segment}" stands twice in "{path}".',
    hint: 'Remove one "/{segment}" from the end of it.',
  },
  'clear-text-credential': {
    severity: 'warning',
    text: 'The credential is sent to {host} unencrypted.',
    hint: 'Use https, or a host on your own network.',
  },
  'untrusted-host': {
    severity: 'warning',
    text: 'Nothing is sent to {host}, and requests that need it are answered with 502: {reason}',
    hint: 'Add "{host}" to "trusted_hosts" of the gateway file, or to GW_TRUSTED_HOSTS, which takes the place of that list.',
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
} as const;
