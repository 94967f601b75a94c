import type { credentialDiagnostics } from '../table/credential-diagnostics.ts';
import type { CodeExample } from './code-example.ts';
import { config, group } from './example-configs.ts';

/** Providers, credentials and hosts. */
export const credentialExamples: { readonly [Code in keyof typeof credentialDiagnostics]: CodeExample } = {
  'missing-provider': {
    cause: 'Targets do not inherit a provider, so this target has nowhere to send requests.',
    remedy: 'Name a provider with its credential, or a virtual key.',
    wrong: group('fallback', '{ "provider": "@openai-prod" }', '{ "retry": { "attempts": 1 } }'),
    right: group(
      'fallback',
      '{ "provider": "@openai-prod" }',
      '{ "provider": "@azure-prod", "retry": { "attempts": 1 } }',
    ),
  },
  'missing-credentials': {
    cause: 'The provider rejects requests without a credential.',
    remedy: 'Add "api_key" with a reference such as ${env:OPENAI_API_KEY}, or name a saved provider.',
    wrong: ['{ "provider": "openai" }'],
    right: ['{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'],
  },
  'empty-credential': {
    cause: 'An empty string is not a credential.',
    remedy: 'Write a reference to the secret.',
    wrong: config('"provider": "openai"', '"api_key": ""'),
    right: ['{', '  "provider": "openai", "api_key": "${env:OPENAI_API_KEY}"', '}'],
  },
  'mixed-credentials': {
    cause: 'There are two credentials, so it is unclear which one to send.',
    remedy: 'Keep one of them.',
    wrong: ['{ "provider": "@openai-prod", "api_key": "${env:OTHER_KEY}" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'no-key-pool': {
    cause: 'This provider signs requests with more than one secret, so it cannot use a list of keys.',
    remedy: 'Write one target for each credential, in a strategy of the mode "loadbalance".',
    wrong: config('"provider": "echo"', '"keys": [{ "api_key": "${env:KEY_A}" }]'),
    right: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "${env:KEY_B}" }] }'],
  },
  'empty-pool-key': {
    cause: 'An empty string is not a key.',
    remedy: 'Write the key, or remove it from the list.',
    wrong: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "" }] }'],
    right: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "${env:KEY_B}" }] }'],
  },
  'repeated-key': {
    cause: 'Two entries with the same key share the limits of its provider, so the second entry does not help.',
    remedy: 'Keep one entry for the key, with the sum of both weights.',
    wrong: [
      '{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}" }, { "api_key": "${env:KEY_A}", "weight": 2 }] }',
    ],
    right: [
      '{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}", "weight": 3 }, { "api_key": "${env:KEY_B}" }] }',
    ],
  },
  'no-key-weight': {
    cause: 'A key with weight 0 is never used, and the list has no other key.',
    remedy: 'Give at least one key a weight above 0.',
    wrong: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}", "weight": 0 }] }'],
    right: ['{ "provider": "openai", "keys": [{ "api_key": "${env:KEY_A}", "weight": 1 }] }'],
  },
  'accounts-without-keys': {
    cause: '"accounts" applies to a list of keys, and there is none.',
    remedy: 'Add "keys", or remove "accounts".',
    wrong: ['{ "provider": "@lone" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'conflicting-spellings': {
    cause: 'One setting is written in two spellings, and their values differ.',
    remedy: 'Keep one of them.',
    wrong: ['{ "provider": "openai", "api_key": "${env:KEY}", "Authorization": "Bearer ${env:OTHER_KEY}" }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "Authorization": "Bearer ${env:KEY}" }'],
  },
  'authorization-scheme': {
    cause: 'The gateway sends the key in the form that the API requires, so it needs the key itself.',
    remedy: 'Write the API key, alone or after "Bearer ".',
    wrong: ['{ "provider": "openai", "Authorization": "Basic dXNlcjpwYXNzd29yZA==" }'],
    right: ['{ "provider": "openai", "Authorization": "bearer key" }'],
  },
  'inline-secret': {
    cause: 'Everyone who can read the file can read the secret.',
    remedy: 'Write a reference: ${env:NAME} or ${file:/run/secrets/name}.',
    wrong: ['{ "provider": "openai", "api_key": "sk-live-0123456789" }'],
    right: ['{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'],
  },
  'credential-in-parameters': {
    cause: 'Parameters are written into plans as they are, and plans are not secret.',
    remedy: 'Send the credential in the settings of the provider, as a reference.',
    wrong: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "extra_headers": { "x-key": "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" } } }',
    ],
    right: [
      '{ "provider": "openai", "api_key": "${env:KEY}", "override_params": { "user": "sk-or-v1-", "stop": ["AKIA", "A key such as 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"] } }',
    ],
  },
  'malformed-reference': {
    cause: 'A malformed reference would be sent as if it were the credential.',
    remedy: 'Write ${env:NAME} with letters, digits and underscores, or ${file:/path}.',
    wrong: ['{ "provider": "openai", "api_key": "${env:OPENAI-KEY}" }'],
    right: ['{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'],
  },
  'misplaced-reference': {
    cause: 'Only secrets are looked up when a plan is loaded. All other settings are part of the plan.',
    remedy: 'Write the value itself.',
    wrong: [
      '{ "provider": "azure-openai", "api_key": "${env:KEY}", "resource_name": "${env:RESOURCE}", "api_version": "v1" }',
    ],
    right: ['{ "provider": "azure-openai", "api_key": "${env:KEY}", "resource_name": "company", "api_version": "v1" }'],
  },
  'unread-reference': {
    cause: 'Only secrets are looked up. Anywhere else, a reference is an ordinary string.',
    remedy: 'Write the value itself.',
    wrong: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.contains": { "words": ["${env:WORD}"], "operator": "none" } }]',
    ),
    right: config(
      '"provider": "@openai-prod"',
      '"input_guardrails": [{ "default.contains": { "words": ["word"], "operator": "none" } }]',
    ),
  },
  'foreign-secret': {
    cause: 'The secret is named after another vendor, so a key may be sent to a vendor that it does not belong to.',
    remedy: 'Check which credential it is, and name it after its provider.',
    wrong: ['{ "provider": "anthropic", "api_key": "${env:OPENAI_API_KEY}" }'],
    right: ['{ "provider": "anthropic", "api_key": "${env:ANTHROPIC_API_KEY}" }'],
  },
  'reference-not-allowed': {
    cause: "Otherwise a request could read the environment and the files of the gateway's machine.",
    remedy: 'Send the value itself, or name a saved provider.',
    wrong: ['{ "provider": "openai", "api_key": "${env:OPENAI_API_KEY}" }'],
    right: ['{ "provider": "openai", "api_key": "the key itself" }'],
  },
  'credential-origin-mismatch': {
    cause: 'Otherwise a saved credential could be sent to any host that a request names.',
    remedy: 'Include your own credential for that host, or remove the host.',
    wrong: ['{ "provider": "@openai-prod", "custom_host": "https://elsewhere.example/v1" }'],
    right: ['{ "provider": "@openai-prod" }'],
  },
  'invalid-custom-host': {
    cause: 'A base URL consists of a scheme, a host and optionally a path.',
    remedy: 'Write the whole URL, such as https://models.example.com/v1.',
    wrong: ['{ "provider": "openai", "custom_host": "models.example.com/v1" }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "https://models.example.com/v1" }'],
  },
  'missing-base-url': {
    cause: 'The address of the provider is built from settings, and one of them is missing.',
    remedy: 'Add the setting that the message names, or "custom_host".',
    wrong: ['{ "provider": "azure-openai", "api_key": "${env:AZURE_KEY}", "api_version": "v1" }'],
    right: ['{ "provider": "azure-openai", "api_key": "${env:KEY}", "resource_name": "company", "api_version": "v1" }'],
  },
  'missing-deployment': {
    cause: 'Azure serves deployments, and this target names none.',
    remedy: 'Add "deployment_id" and "api_version", or a list of "deployments".',
    wrong: ['{ "provider": "azure-openai", "api_key": "${env:AZURE_KEY}", "resource_name": "company" }'],
    right: config(
      '"provider": "azure-openai"',
      '"api_key": "${env:KEY}"',
      '"resource_name": "company"',
      '"deployment_id": "gpt"',
      '"api_version": "2024-10-21"',
    ),
  },
  'missing-version': {
    cause: 'A custom host replaces the whole base URL, including its version, or for "azure-openai" its "/openai".',
    remedy: 'Add that path.',
    wrong: ['{ "provider": "openai", "custom_host": "https://models.example.com" }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "https://models.example.com/v1" }'],
  },
  'operation-in-host': {
    cause: 'The path of the operation is appended to the base URL, so it would appear twice.',
    remedy: 'Write only the base URL.',
    wrong: ['{ "provider": "openai", "custom_host": "https://models.example.com/v1/chat/completions" }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "https://models.example.com/v1" }'],
  },
  'clear-text-credential': {
    cause: 'Anyone on the network path can read a credential that is sent without TLS.',
    remedy: 'Use https, or a host on your own network.',
    wrong: ['{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "http://models.example.com/v1" }'],
    right: ['{ "provider": "openai", "api_key": "${env:KEY}", "custom_host": "https://models.example.com/v1" }'],
  },
  'untrusted-host': {
    cause:
      'The host of a target, or of a saved provider, is not public, and requests are sent to such hosts only if the operator trusts them. A gateway on loopback without keys, without a store and without listed hosts trusts loopback.',
    remedy: 'Add the host to "trusted_hosts" in the gateway file, or to GW_TRUSTED_HOSTS, which replaces that list.',
    wrong: ['{ "provider": "vllm", "custom_host": "http://10.0.0.5:8000/v1" }'],
    right: ['{ "provider": "vllm", "custom_host": "https://models.example.com/v1" }'],
  },
  'replaced-credential': {
    cause: "The caller's header is sent instead of the target's own credential, which is then never used.",
    remedy: 'Keep one of the two.',
    wrong: ['{ "provider": "@openai-prod", "forward_headers": ["authorization"] }'],
    right: ['{ "provider": "@openai-prod", "forward_headers": ["x-request-id"] }'],
  },
  'forwarded-credential': {
    cause: "The caller's credential is sent to every target, including those of other vendors.",
    remedy: 'Forward the header only at the target that it is meant for.',
    wrong: config(
      '"strategy": { "mode": "fallback" }',
      '"forward_headers": ["authorization"]',
      '"targets": [{ "provider": "openai" }, { "provider": "anthropic" }]',
    ),
    right: group(
      'fallback',
      '{ "provider": "openai", "forward_headers": ["authorization"] }',
      '{ "provider": "anthropic", "api_key": "${env:ANTHROPIC_API_KEY}" }',
    ),
  },
  'repeated-version': {
    cause: 'The path of each operation of this provider begins with a version and is appended to the host unchanged.',
    remedy: 'Write the host without the version at its end.',
    wrong: config(
      '"provider": "cohere"',
      '"api_key": "${env:COHERE_KEY}"',
      '"custom_host": "https://models.example.com/v2"',
    ),
    right: ['{ "provider": "cohere", "api_key": "${env:COHERE_KEY}", "custom_host": "https://models.example.com" }'],
  },
};
