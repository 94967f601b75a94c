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
    description: 'The service key, if the gateway requires one. It is never sent to a provider.',
    example: 'gw-8Zk2…',
  },
  workspace: {
    description: 'The id or slug of the workspace to act in, for a key that can access several.',
    example: 'team-a',
  },
  config: {
    description: "The name of a config, or a config as JSON; the gateway's default config if absent.",
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
      'Another base URL, for a request with its own credential. A saved credential is sent only to the host that it was saved with.',
    form: 'a URL with its version segment',
    example: 'https://models.example.com/v1',
  },
  'forward-headers': {
    description:
      'The names of headers to forward to the provider unchanged, separated by commas. They replace those in `forward_headers` of the config. With a saved credential, only the config can name them.',
    form: names,
    example: 'x-request-id, user-agent',
  },
  'request-timeout': {
    description: 'The time-out of one attempt, in milliseconds.',
    form: 'a whole number of at most 9 digits; 0 has the same effect as no header',
    type: 'integer',
    example: '30000',
  },
  deadline: {
    description: 'The longest time that the whole request may take, in milliseconds.',
    form: `a whole number from 1 to ${maxDeadlineMs}`,
    type: 'integer',
    example: '60000',
  },
  'max-cost': {
    description: 'The most that the whole request may cost, in US dollars.',
    form: `a number above 0, of at most ${maxBoundUsd}`,
    type: 'number',
    example: '0.05',
  },
  'strict-llmv-compliance': {
    description: "Whether the response contains only what the client's API documents. True if absent.",
    type: 'boolean',
    example: 'false',
  },
  usage: {
    description: 'Whether the response reports what it used and cost. False if absent.',
    type: 'boolean',
    example: 'true',
  },
  'trace-id': { description: 'Your id for the request; one is generated if absent.', example: 'order-4711' },
  'span-id': {
    description: "The id of the request's span, if the gateway traces requests.",
    form: '16 hexadecimal digits; any other id is ignored',
    example: '00f067aa0ba902b7',
  },
  'parent-span-id': {
    description:
      "The parent of the request's span in the trace of `x-gw-trace-id`. It takes precedence over that of `traceparent`.",
    form: '16 hexadecimal digits; any other id is ignored',
    example: 'b7ad6b7169203331',
  },
  'span-name': {
    description: "The name of the request's span; its method and endpoint if absent.",
    example: 'summarise the report',
  },
  metadata: {
    description:
      'Labels that conditions can read, as a JSON object of strings, numbers and booleans. A number beyond 9007199254740991 is refused because it would be rounded: write it as a string. `_user` is the user in logs, usage and budgets. With a store, it is the user of the key, or else this label, or else the `user` of the body. The pairs of a `baggage` header (W3C) are labels too; these labels take precedence over them.',
    form: 'a JSON object',
    example: '{"tier":"gold","_user":"ada"}',
  },
  'cache-force-refresh': {
    description: 'Whether to skip reading the cache and to store the new response in it. False if absent.',
    type: 'boolean',
    example: 'true',
  },
  'cache-namespace': {
    description: 'Separates cached responses by this text instead of by the metadata and forwarded headers.',
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
      "The header `anthropic-beta`, for requests in Anthropic's own format, and for other requests if a config forwards it.",
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
    description: 'The id under which the log has the request: the one that the request sent, or a generated one.',
    example: '9b4c9373991a7c5363c1e0360494930a',
  },
  'x-gw-provider': { description: 'The provider that responded.', example: 'openai' },
  'x-gw-last-used-option-index': {
    description: 'The place of the target that responded, in the config.',
    form: '`config`, and `.targets[N]` for each level',
    example: 'config.targets[1]',
  },
  'x-gw-retry-attempt-count': {
    description: 'How many times the request to that target was retried; -1 if every retry failed.',
    type: 'integer',
    example: '0',
  },
  'x-gw-cache-status': {
    description: 'Whether the response comes from a cache.',
    form: '`HIT`, `SEMANTIC HIT`, `MISS`, `SEMANTIC MISS`, `REFRESH` or `DISABLED`',
    example: 'MISS',
  },
  'x-gw-estimated': {
    description: 'Whether a token count is an estimate by the gateway: `true`, or absent.',
    example: 'true',
  },
  'x-gw-plan': {
    description: "The name and the hash of the request's plan.",
    example: 'prod@b961915da876',
  },
  'x-gw-attempts': {
    description: 'The attempts that were made, as a List of RFC 9651, if the request has `x-gw-usage: true`.',
    form: 'for each attempt its place, `status`, `error` if it failed, and `ms`; at most 1 KB, and then it ends with `more;count=N`',
    example: '"config.targets[0]";status=502;error=connection-failed;ms=3.10, "config.targets[1]";status=200;ms=812.45',
  },
  'x-gw-overhead-ms': {
    description: 'How many milliseconds the gateway itself took, if the request has `x-gw-usage: true`.',
    type: 'number',
    example: '1.84',
  },
  'x-gw-usage': {
    description:
      'The tokens and units that the response used, if the request has `x-gw-usage: true`. For a stream, a comment at its end.',
    form: 'a JSON object of at most 1 KB',
    example: '{"kind":"reported","model":"gpt-5.5","input":{"total":12},"output":{"total":30}}',
  },
  'x-gw-cost': {
    description: 'The cost of the response in US dollars, sent together with `x-gw-usage` if the model has a price.',
    type: 'number',
    example: '0.00033',
  },
  'x-gw-dropped-params': {
    description: "The members of the request that were left out because the provider's format cannot express them.",
    form: 'names separated by commas; at most 1 KB, and then it ends with `...`',
    example: 'logit_bias, messages[*].name',
  },
  'x-gw-continued': {
    description: 'A trailer of a stream that broke and was continued: the places of the targets that continued it.',
    form: 'places as in `x-gw-last-used-option-index`, separated by commas',
    example: 'config.targets[1]',
  },
  'x-gw-response-not-kept': {
    description: 'Why a response that the request asked to store was not kept.',
    form: '`too-large` or `unavailable`',
    example: 'too-large',
  },
};
