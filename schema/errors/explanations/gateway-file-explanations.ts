import type { GatewayFileCode, PluginCode } from '../finding-code.ts';
import type { FindingExplanation } from './finding-explanation.ts';

const saved = (...members: readonly string[]): readonly string[] => [
  '{',
  '  "providers": {',
  '    "own": {',
  '      "provider": "openai",',
  '      "credential": { "api_key": "${env:OWN_KEY}" },',
  ...members.map((member, at) => `      ${member}${at < members.length - 1 ? ',' : ''}`),
  '    }',
  '  }',
  '}',
];

const virtual = (name: string, target: string): readonly string[] => [
  '{',
  '  "providers": { "own": { "provider": "openai", "credential": { "api_key": "${env:OWN_KEY}" } } },',
  `  "models": { ${JSON.stringify(name)}: ${JSON.stringify(target)} }`,
  '}',
];

const semanticCache = (vectors: string, redis: string): readonly string[] => [
  '{',
  `  "providers": { "vectors": { "provider": "${vectors}", "credential": { "api_key": "\${env:VECTORS_KEY}" } } },`,
  `  "cache": { "semantic": { "provider": "@vectors", "model": "text-embedding-3-small"${redis} } }`,
  '}',
];

/** Findings about the gateway file that no check of a config makes. */
export const gatewayFileExplanations: {
  readonly [Code in Exclude<GatewayFileCode, PluginCode>]: FindingExplanation;
} = {
  'unknown-config': {
    severity: 'error',
    text: 'The default config, or the config of a virtual model, does not exist.',
    cause:
      '"default_config", or a member of "models" that begins with "config:", names a config that is not in the "configs" folder.',
    remedy: 'Correct the name, or add the config to the folder.',
  },
  'wrong-model-name': {
    severity: 'error',
    text: 'The name of a virtual model …',
    cause: 'A member of "models" has a name that no client could send, or that would have another meaning.',
    remedy:
      'Choose a name as the message says: one without "@" at the beginning and without white space at either end.',
    example: { wrong: virtual('@fast', '@own/gpt-5.4'), right: virtual('fast', '@own/gpt-5.4') },
  },
  'similar-model-names': {
    severity: 'error',
    text: 'The virtual models "…" and "…" differ only in case.',
    cause: 'People who read the two names would confuse them.',
    remedy: 'Give one of them another name.',
    example: {
      wrong: ['{ "models": { "fast": "@echo/a", "Fast": "@echo/b" } }'],
      right: ['{ "models": { "fast": "@echo/a", "fastest": "@echo/b" } }'],
    },
  },
  'wrong-model-form': {
    severity: 'error',
    text: '"…" names neither a config nor a model of a provider.',
    cause:
      'A virtual model stands for a config or for one model of a saved provider, but its value has the form of neither.',
    remedy: 'Write "config:NAME" for a config, or "@slug/model" for a model of a saved provider.',
    example: { wrong: virtual('fast', 'gpt-5.4'), right: virtual('fast', '@own/gpt-5.4') },
  },
  'unsaved-provider': {
    severity: 'error',
    text: 'The provider "…" needs a credential, but no provider is saved as "…".',
    cause: 'A virtual model names a provider by its id. Only a provider that needs no credential can be called so.',
    remedy: 'Save the provider under "providers" with its credential, and name its slug.',
    example: { wrong: virtual('fast', '@anthropic/claude-sonnet-5'), right: virtual('fast', '@own/gpt-5.4') },
  },
  'too-many-models': {
    severity: 'error',
    text: 'There are … virtual models, but at most … are allowed.',
    cause: 'The number of virtual models is bounded, since the gateway lists all of them to clients.',
    remedy: 'Remove those that no client names.',
  },
  'no-embeddings': {
    severity: 'error',
    text: 'The provider "…" offers no embeddings, or not in the format of OpenAI.',
    cause:
      'The semantic cache compares embeddings, but "cache.semantic.provider" names a provider that cannot compute them. If "cache.semantic.model" is known for something else, such as chat, that is a warning.',
    remedy: 'Name a saved provider that can, such as one of openai, and an embedding model.',
    example: { wrong: semanticCache('anthropic', ''), right: semanticCache('openai', '') },
  },
  'unshared-answers': {
    severity: 'error',
    text: 'The vectors are shared with other gateways, but the answers that they lead to are not.',
    cause:
      '"cache.semantic.url" names a database of vectors for several gateways, but "cache.url" names no Redis for the responses. Other gateways would find vectors without their responses.',
    remedy: 'Name the Redis for the responses in "cache.url", or remove "url" from "cache.semantic".',
    example: {
      wrong: semanticCache('openai', ', "url": "postgres://vectors/shared"'),
      right: semanticCache('openai', ''),
    },
  },
  'invalid-label': {
    severity: 'error',
    text: 'A label is declared in such a way that no value is valid, or that no condition can refer to it.',
    cause:
      'The members of a label under "metadata" contradict each other, or its name contains a dot or has blanks at its ends.',
    remedy: 'Correct the member that the message names.',
    example: {
      wrong: ['{ "metadata": { "team": { "enum": [] } } }'],
      right: ['{ "metadata": { "team": { "enum": ["search", "support"] } } }'],
    },
  },
  'unknown-sink': {
    severity: 'error',
    text: 'There is no sink "…".',
    cause: 'An entry of "log.sinks" names a sink that neither the gateway nor a loaded plugin has.',
    remedy: 'Correct the name, or add the plugin that has the sink to "plugins".',
    example: {
      wrong: ['{ "log": { "sinks": [{ "sink": "webhok", "url": "https://logs.example.com" }] } }'],
      right: ['{ "log": { "sinks": [{ "sink": "webhook", "url": "https://logs.example.com" }] } }'],
    },
  },
  'literal-secret': {
    severity: 'error',
    text: 'A secret of a sink is written in the file instead of being a reference.',
    cause: 'Gateway files are read by many and kept in version control, so that secrets in them are references.',
    remedy: 'Put the secret into a variable or a file, and write "${env:NAME}" or "${file:PATH}" here.',
    example: {
      wrong: ['{ "log": { "sinks": [{ "sink": "datadog", "site": "datadoghq.eu", "api_key": "written-out" }] } }'],
      right: [
        '{ "log": { "sinks": [{ "sink": "datadog", "site": "datadoghq.eu", "api_key": "${env:DD_API_KEY}" }] } }',
      ],
    },
  },
  'wrong-sink-options': {
    severity: 'error',
    text: 'The options of a sink cannot be used together, or one of them has a wrong value.',
    cause: 'The sink validated its options and rejected them, as the message says.',
    remedy: 'Correct the options of the sink.',
    example: {
      wrong: [
        '{ "log": { "sinks": [{ "sink": "s3", "url": "s3://logs", "region": "eu-west-1", "kms_key_id": "own" }] } }',
      ],
      right: [
        '{',
        '  "log": {',
        '    "sinks": [{ "sink": "s3", "url": "s3://logs", "region": "eu-west-1", "kms_key_id": "own", "encryption": "aws:kms" }]',
        '  }',
        '}',
      ],
    },
  },
  'empty-list': {
    severity: 'error',
    text: '"…" is empty.',
    cause: 'A list in "alerts" has no items, so nobody would be notified.',
    remedy: 'Add an item to the list, or remove it: without "on" or "workspaces", a receiver gets all messages.',
    example: { wrong: ['{ "alerts": { "to": [] } }'], right: ['{}'] },
  },
  'wrong-receiver': {
    severity: 'error',
    text: 'A receiver of alerts has no kind, has two kinds, or has a member of another kind.',
    cause:
      'Each receiver is a "webhook", a "slack" or a "pagerduty" receiver, and can have only the members of that kind.',
    remedy: 'Set exactly one of them, and remove the members that belong to another kind.',
    example: {
      wrong: ['{ "alerts": { "to": [{ "slack": "${env:SLACK_URL}", "secret": "${env:SIGNING_SECRET}" }] } }'],
      right: ['{ "alerts": { "to": [{ "slack": "${env:SLACK_URL}" }] } }'],
    },
  },
  'written-pem': {
    severity: 'error',
    text: '"…" contains the PEM text itself.',
    cause:
      'The members of "listen.tls" name files, so that only the gateway reads a key and the key can be replaced while it runs.',
    remedy: 'Write the PEM to a file that only the gateway can read, and name the file.',
    example: {
      wrong: ['{ "listen": { "tls": { "cert": "-----BEGIN CERTIFICATE-----", "key": "tls/server.key" } } }'],
      right: ['{ "listen": { "tls": { "cert": "tls/server.pem", "key": "tls/server.key" } } }'],
    },
  },
  'missing-client-ca': {
    severity: 'error',
    text: '"client_certificates" needs "client_ca": without it, no client certificate can be verified.',
    cause: 'Clients are asked for certificates, and the gateway does not know the authority that issues them.',
    remedy: 'Name the file of the authority as "client_ca", or remove "client_certificates".',
    example: {
      wrong: [
        '{',
        '  "listen": { "tls": { "cert": "server.pem", "key": "server.key", "client_certificates": "require" } }',
        '}',
      ],
      right: ['{ "listen": { "tls": { "cert": "server.pem", "key": "server.key" } } }'],
    },
  },
  'host-without-port': {
    severity: 'error',
    text: '"host" is set without "port": metrics are then served at the port of the gateway itself.',
    cause: '"metrics.host" is the address of a port for metrics alone, and "metrics.port", which opens it, is absent.',
    remedy: 'Add "port", or remove "host".',
    example: {
      wrong: ['{ "metrics": { "host": "127.0.0.1" } }'],
      right: ['{ "metrics": { "host": "127.0.0.1", "port": 9464 } }'],
    },
  },
  'unforwardable-header': {
    severity: 'error',
    text: '"…" can never be forwarded.',
    cause:
      'A name in "pass_through_headers" is not a header name, or it is a header of the connection, of the gateway itself, or for credentials.',
    remedy: 'Remove it from "pass_through_headers".',
    example: {
      wrong: ['{ "pass_through_headers": ["authorization"] }'],
      right: ['{ "pass_through_headers": ["openai-beta"] }'],
    },
  },
  'invalid-origin': {
    severity: 'error',
    text: '"…" is not the origin of a page.',
    cause:
      'An item of "cors.origins" is not written as browsers send origins, so that no page would match it: it has a path or a pattern, lacks its scheme, or states the default port.',
    remedy: 'Write scheme and host, and the port unless it is the default of the scheme.',
    example: {
      wrong: ['{ "cors": { "origins": ["https://*.example.com"] } }'],
      right: ['{ "cors": { "origins": ["https://app.example.com"] } }'],
    },
  },
  'wrong-limits': {
    severity: 'error',
    text: '"…" is …, above or below "…".',
    cause: 'In "overload", the lowest limit is above the initial one, or the initial one is above the highest.',
    remedy: 'Make sure that "min_concurrency", "initial_concurrency" and "max_concurrency" increase in this order.',
    example: {
      wrong: ['{ "overload": { "min_concurrency": 50, "max_concurrency": 20 } }'],
      right: ['{ "overload": { "min_concurrency": 5, "max_concurrency": 20 } }'],
    },
  },
  'unpaired-certificate': {
    severity: 'error',
    text: '"…" is set without "…", so the gateway could not identify itself.',
    cause:
      'The "tls" of a saved provider has a certificate without its key, a key without its certificate, or a passphrase without a key.',
    remedy: 'Add the one that is missing, or remove the other.',
    example: {
      wrong: saved(
        '"settings": { "custom_host": "https://models.example.com/v1" }',
        '"tls": { "cert": "${env:CLIENT_CERT}" }',
      ),
      right: saved(
        '"settings": { "custom_host": "https://models.example.com/v1" }',
        '"tls": { "cert": "${env:CLIENT_CERT}", "key": "${env:CLIENT_KEY}" }',
      ),
    },
  },
  'tls-without-https': {
    severity: 'error',
    text: 'The "custom_host" begins with http://, so "tls" would not be used.',
    cause: 'A saved provider has settings for TLS, and its host is called without TLS.',
    remedy: 'Begin "custom_host" with https://, or remove "tls".',
    example: {
      wrong: saved('"settings": { "custom_host": "http://models.internal/v1" }', '"tls": { "ca": "${env:OWN_CA}" }'),
      right: saved('"settings": { "custom_host": "https://models.internal/v1" }', '"tls": { "ca": "${env:OWN_CA}" }'),
    },
  },
  'unusable-tls': {
    severity: 'error',
    text: 'A certificate, a key or an authority of the gateway file cannot be used: …',
    cause:
      'The value of a member of a "tls", or of "trusted_authorities", exists but is not what it must be; for instance, it is the key of another certificate.',
    remedy: 'Correct the value in its variable or file as the message says.',
  },
  'invalid-proxy': {
    severity: 'error',
    text: '"proxy" is not the URL of a proxy.',
    cause: 'The proxy for all calls to providers has a form that cannot be used.',
    remedy: 'Write it as http://proxy.example:3128.',
    example: {
      wrong: ['{ "proxy": "http://proxy.example/path" }'],
      right: ['{ "proxy": "http://proxy.example:3128" }'],
    },
  },
};
