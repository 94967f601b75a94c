import { points, type ReferencePage, toPage } from './markdown.ts';

const groups = [
  {
    title: 'Configuration',
    pages: [
      '[Config](config/README.md): the members of a routing config, with type, default, inheritance, an example and diagnostics',
      '[Gateway file](gateway-file/README.md): the members of `gateway.json`',
      '[Providers](providers.md): address, credential, operations and settings of each, with an example',
      '[Models](models.md): what is known of models, and how to state more',
      '[Guardrails](guardrails/README.md): the checks that come with the gateway, with their parameters',
      '[Sinks of the log](sinks.md): where else records of requests can be sent, with the options of each',
    ],
  },
  {
    title: 'Requests',
    pages: [
      '[Headers](headers.md): those of requests and of answers',
      '[HTTP API](api/README.md): requests to models, and the control plane',
      '[Scopes](scopes.md): what service keys may be allowed',
      '[Limits and budgets](policies.md): what may be limited, for whom and how long, and what follows',
    ],
  },
  {
    title: 'Messages',
    pages: [
      '[Errors](errors/README.md): every error of the gateway, with its status, cause and remedy',
      '[Diagnostics](diagnostics/README.md): everything that the compiler says of a config, with an example of each',
    ],
  },
  {
    title: 'Operation',
    pages: [
      '[Commands](commands/README.md): `gw`, with options, examples and exit codes',
      '[Metrics](metrics.md): what `/metrics` serves',
      '[Log fields](log-fields.md): the line that the log has of each request',
    ],
  },
  { title: 'Plugins', pages: ['[SDK](sdk/README.md): everything that `gatewright/sdk` exports, and the hooks'] },
] as const;

/** The index of the reference. */
export const indexPage = (): ReferencePage =>
  toPage('README.md', {
    title: 'Reference',
    from: 'the sources',
    parts: [
      'These pages are made from the sources of this version; a check of the project fails where one is not up to date.',
      ...groups.flatMap(({ title, pages }) => [`## ${title}`, points(pages)]),
    ],
  });
