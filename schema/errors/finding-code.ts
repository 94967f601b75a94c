/** Findings about plugins that the gateway file names, and about names that two parts of it share. */
export type PluginCode =
  | 'plugin-not-found'
  | 'plugin-failed'
  | 'not-a-plugin'
  | 'wrong-plugin-api'
  | 'wrong-plugin-options'
  | 'wrong-sdk-range'
  | 'wrong-permissions'
  | 'not-isolable'
  | 'duplicate-name';

/** Findings about the gateway file that no check of a config makes. */
export type GatewayFileCode =
  | PluginCode
  | 'unknown-config'
  | 'wrong-model-name'
  | 'similar-model-names'
  | 'wrong-model-form'
  | 'unsaved-provider'
  | 'too-many-models'
  | 'no-embeddings'
  | 'unshared-answers'
  | 'invalid-label'
  | 'unknown-sink'
  | 'literal-secret'
  | 'wrong-sink-options'
  | 'empty-list'
  | 'wrong-receiver'
  | 'written-pem'
  | 'missing-client-ca'
  | 'host-without-port'
  | 'unforwardable-header'
  | 'invalid-origin'
  | 'wrong-limits'
  | 'unpaired-certificate'
  | 'tls-without-https'
  | 'unusable-tls'
  | 'invalid-proxy';

/** Findings that no check of a config makes. The others are about config files, names that they refer to, and policies. */
export type FindingCode = GatewayFileCode | 'same-name' | 'unreadable-file' | 'unread-name' | 'optional-label';
