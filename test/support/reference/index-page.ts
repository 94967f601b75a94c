import { type ReferencePage, table, toPage } from './markdown.ts';

const rows = [
  [
    '[Config](config/README.md)',
    'The members of a routing config: type, default, inheritance, an example, diagnostics.',
  ],
  ['[Gateway file](gateway-file/README.md)', 'The members of `gateway.json`.'],
  ['[Headers](headers.md)', 'The headers of requests and answers.'],
  ['[Errors](errors/README.md)', 'Every error of the gateway: status, cause, remedy.'],
  ['[Diagnostics](diagnostics/README.md)', 'Everything that the compiler says of a config, with an example of each.'],
  ['[Commands](commands/README.md)', 'What `gw` can do, with options, examples and exit codes.'],
  ['[HTTP API](api/README.md)', 'Requests to models, and the control plane.'],
  ['[Scopes](scopes.md)', 'What service keys may be allowed.'],
  ['[Providers](providers.md)', 'Every provider: address, credential, operations, settings, an example.'],
  ['[Models](models.md)', 'What is known of models, and how to state more.'],
  ['[Guardrails](guardrails/README.md)', 'The checks that come with the gateway, with their parameters.'],
  ['[Metrics](metrics.md)', 'What `/metrics` serves.'],
  ['[Log fields](log-fields.md)', 'The line that the log has of each request.'],
  ['[SDK](sdk/README.md)', 'Everything for writing plugins, and the hooks.'],
] as const;

/** The index of the reference. */
export const indexPage = (): ReferencePage =>
  toPage('README.md', {
    title: 'Reference',
    from: 'the sources',
    parts: [
      'Each page is made from the sources of this version, and a check of the project fails where one is not up to date.',
      table(['page', 'has'], rows),
    ],
  });
