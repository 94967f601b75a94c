import { maxBoundUsd, maxDeadlineMs } from '../../../schema/plan/request-bounds.ts';

/** A header of the gateway, described for the documentation. */
export interface DescribedHeader {
  readonly description: string;
  /** The values that it may have, if its type does not say enough. */
  readonly form?: string;
  /** Default: a text. */
  readonly type?: 'boolean' | 'integer' | 'number';
  readonly example: string;
}

const names = 'names of headers, separated by commas, or a JSON list of them';

/** The headers of requests, by the name after `x-gw-`. Those of cloud settings are described under the names of the settings. */
export const requestHeaderDescriptions: Readonly<Record<string, DescribedHeader>> = {
  'api-key': {
    description: 'The service key, if the gateway has any. It never reaches a provider.',
    example: 'gw-8Zk2…',
  },
  workspace: {
    description: 'The id or slug of the workspace to act in, for a key that reaches several.',
    example: 'team-a',
  },
  config: {
    description: "The name of a config, or a config as JSON. Default: the gateway's default config.",
    form: 'a name, or a JSON object of at most `limits.config_bytes` bytes',
    example: 'prod',
  },
  'virtual-key': { description: 'The slug of a virtual key: a saved credential.', example: 'team-a' },
  provider: {
    description: 'The id of a provider, or `@` and the slug of a saved one.',
    form: 'an id, together with your own key in `authorization`; or `@slug`',
    example: '@openai',
  },
  'custom-host': {
    description:
      'Another base URL for the credential in this request. A saved credential is sent only to the host that it was saved with.',
    form: 'a URL with its version segment',
    example: 'https://models.example.com/v1',
  },
  'forward-headers': {
    description:
      'The names of headers that are forwarded unchanged, separated by commas, instead of those in `forward_headers` of the config. With a saved credential, only the config can name them.',
    form: names,
    example: 'x-request-id, user-agent',
  },
  'request-timeout': {
    description: 'How long one attempt may take, in milliseconds.',
    form: 'a whole number of at most 9 digits; 0 is the same as absent',
    type: 'integer',
    example: '30000',
  },
  deadline: {
    description: 'How long the whole request may take, in milliseconds.',
    form: `a whole number from 1 to ${maxDeadlineMs}`,
    type: 'integer',
    example: '60000',
  },
  'max-cost': {
    description: 'The maximum cost of the whole request, in US dollars.',
    form: `a number above 0, of at most ${maxBoundUsd}`,
    type: 'number',
    example: '0.05',
  },
  'strict-llmv-compliance': {
    description: "Whether answers contain only what the client's API documents. Default: true.",
    type: 'boolean',
    example: 'false',
  },
  usage: {
    description: 'Whether the answer reports its usage and cost. Default: false.',
    type: 'boolean',
    example: 'true',
  },
  'trace-id': { description: 'Your id for the request. Default: a generated one.', example: 'order-4711' },
  'span-id': {
    description: "The id of the request's span, if the gateway traces requests.",
    form: '16 hexadecimal digits; any other id is not used',
    example: '00f067aa0ba902b7',
  },
  'parent-span-id': {
    description:
      "The parent of the request's span in the trace of `x-gw-trace-id`. It takes precedence over that of `traceparent`.",
    form: '16 hexadecimal digits; any other id is ignored',
    example: 'b7ad6b7169203331',
  },
  'span-name': {
    description: "The name of the request's span. Default: its method and endpoint.",
    example: 'summarise the report',
  },
  metadata: {
    description:
      'Labels as a JSON object of texts, numbers and booleans, which conditions can read. A number beyond 9007199254740991 is refused, because it would be rounded: write it as a text. `_user` is the user in logs, usage and budgets: with a store, it is the user of the key, otherwise this label, otherwise `user` in the body. The pairs of a `baggage` header (W3C) are labels too, with lower precedence.',
    form: 'a JSON object',
    example: '{"tier":"gold","_user":"ada"}',
  },
  'cache-force-refresh': {
    description: 'Whether caches are bypassed and updated with the new answer. Default: false.',
    type: 'boolean',
    example: 'true',
  },
  'cache-namespace': {
    description: 'Separates cached answers by this text instead of by metadata and forwarded headers.',
    example: 'release-42',
  },
  debug: {
    description: 'With `false`, the request is not cached, and its bodies are not logged.',
    type: 'boolean',
    example: 'false',
  },
  'sensitive-headers': {
    description: 'The names of headers whose values are never logged, separated by commas.',
    form: names,
    example: 'x-customer-token',
  },
  'anthropic-beta': {
    description:
      "The header `anthropic-beta`, for requests in Anthropic's own format, and for others if a config forwards it.",
    example: 'context-1m-2025-08-07',
  },
  'anthropic-version': {
    description: "The header `anthropic-version`, for requests in Anthropic's own format.",
    example: '2023-06-01',
  },
  'llmv-beta': { description: 'The header `openai-beta`, for OpenAI.', example: 'assistants=v2' },
};

/** The headers of responses. */
export const answerHeaderDescriptions: Readonly<Record<string, DescribedHeader>> = {
  'x-gw-trace-id': {
    description: 'The id of the request in the log: the one that was sent, or a generated one.',
    example: '9b4c9373991a7c5363c1e0360494930a',
  },
  'x-gw-provider': { description: 'The provider that responded.', example: 'openai' },
  'x-gw-last-used-option-index': {
    description: 'The place of the target that responded, in the config.',
    form: '`config`, and `.targets[N]` for each level',
    example: 'config.targets[1]',
  },
  'x-gw-retry-attempt-count': {
    description: 'How often that target was retried, or -1 if every retry failed.',
    type: 'integer',
    example: '0',
  },
  'x-gw-cache-status': {
    description: 'Whether the response comes from a cache.',
    form: '`HIT`, `SEMANTIC HIT`, `MISS`, `SEMANTIC MISS`, `REFRESH` or `DISABLED`',
    example: 'MISS',
  },
  'x-gw-estimated': {
    description: 'Whether a token count is an estimate of the gateway: `true`, or absent.',
    example: 'true',
  },
  'x-gw-plan': {
    description: "The name and hash of the request's plan.",
    example: 'prod@b961915da876',
  },
  'x-gw-attempts': {
    description: 'The attempts that were made, if the request has `x-gw-usage: true`: a List of RFC 9651.',
    form: 'for each, its place, `status`, `error` if it failed, and `ms`; at most 1 KB, ending with `more;count=N`',
    example: '"config.targets[0]";status=502;error=connection-failed;ms=3.10, "config.targets[1]";status=200;ms=812.45',
  },
  'x-gw-overhead-ms': {
    description: 'The milliseconds that the gateway itself took, if the request has `x-gw-usage: true`.',
    type: 'number',
    example: '1.84',
  },
  'x-gw-usage': {
    description:
      'The tokens and units that the answer used, if the request has `x-gw-usage: true`; after a stream, a comment.',
    form: 'a JSON object of at most 1 KB',
    example: '{"kind":"reported","model":"gpt-5.5","input":{"total":12},"output":{"total":30}}',
  },
  'x-gw-cost': {
    description: 'The cost of the answer in US dollars, together with `x-gw-usage`, if the model has a price.',
    type: 'number',
    example: '0.00033',
  },
  'x-gw-dropped-params': {
    description: "The members of the request that the provider's format could not express, and that were omitted.",
    form: 'names separated by commas; at most 1 KB, ending with `...` if some are omitted',
    example: 'logit_bias, messages[*].name',
  },
  'x-gw-continued': {
    description: 'A trailer of a stream that broke and was continued: the places of the targets that continued it.',
    form: 'places as in `x-gw-last-used-option-index`, separated by commas',
    example: 'config.targets[1]',
  },
  'x-gw-response-not-kept': {
    description: 'Why a response that the request asked to store was not stored.',
    form: '`too-large` or `unavailable`',
    example: 'too-large',
  },
};
