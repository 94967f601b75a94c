import { points, type ReferencePage, toPage } from '../markdown.ts';

const groups = [
  {
    title: 'Configuration',
    pages: [
      '[Config](config/README.md): the members of a routing config, with type, default, inheritance, an example and diagnostics',
      '[Gateway file](gateway-file/README.md): the members of `gateway.json`',
      '[Providers](providers.md): address, credential, operations and settings of each, with an example',
      '[Models](models.md): what is known about models, and how to add facts',
      '[Guardrails](guardrails/README.md): the checks that come with the gateway, with their parameters',
      '[Sinks of the log](sinks.md): other receivers for the records of requests, with the options of each',
    ],
  },
  {
    title: 'Requests',
    pages: [
      '[Headers](headers.md): those of requests and of responses',
      '[HTTP API](api/README.md): requests to models, and the control plane',
      '[Scopes](scopes.md): what service keys can be allowed to do',
      '[Limits and budgets](policies.md): what can be limited, for whom and for how long, and what happens at a limit',
    ],
  },
  {
    title: 'Messages',
    pages: [
      '[Errors](errors/README.md): every error of the gateway, with its status, cause and remedy',
      '[Diagnostics](diagnostics/README.md): everything that the compiler reports about configs, with an example of each',
    ],
  },
  {
    title: 'Operation',
    pages: [
      '[Commands](commands/README.md): `gw`, with options, examples and exit codes',
      '[Metrics](metrics.md): what `/metrics` serves',
      '[Log fields](log-fields.md): the log line of a request',
    ],
  },
  { title: 'Plugins', pages: ['[SDK](sdk/README.md): everything that `gatewright/sdk` exports, and the hooks'] },
] as const;

/** Creates the index of the reference. */
export const indexPage = (): ReferencePage =>
  toPage('README.md', {
    title: 'Reference',
    from: 'the sources',
    parts: [
      'These pages are generated from the sources of this version. A test of the project fails if a page is not up to date.',
      ...groups.flatMap(({ title, pages }) => [`## ${title}`, points(pages)]),
    ],
  });
