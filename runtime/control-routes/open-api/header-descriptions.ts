import { maxBoundUsd, maxDeadlineMs } from '../../../schema/plan/request-bounds.ts';

/** A header of the gateway, for readers of its documentation. */
export interface DescribedHeader {
  readonly description: string;
  /** The values that it may have, if its type does not say so. */
  readonly form?: string;
  /** Default: a text. */
  readonly type?: 'boolean' | 'integer' | 'number';
  readonly example: string;
}

const names = 'names of headers, separated by commas, or a JSON list of them';

/** The headers of requests, by the name after `x-gw-`. The settings of clouds are described by their names. */
export const requestHeaderDescriptions: Readonly<Record<string, DescribedHeader>> = {
  'api-key': {
    description: 'The service key, where the gateway has any. It never reaches a provider.',
    example: 'gw-8Zk2…',
  },
  workspace: {
    description: 'The id or slug of the workspace to act in, with a key that reaches several.',
    example: 'team-a',
  },
  config: {
    description: "The name of a config, or a config as JSON; the gateway's default where absent.",
    form: 'a name, or a JSON object of at most `limits.config_bytes` bytes',
    example: 'prod',
  },
  'virtual-key': { description: 'The slug of a virtual key: a saved credential.', example: 'team-a' },
  provider: {
    description: 'The id of a provider, or `@` and the slug of a saved one.',
    form: 'an id, or `@slug`; with `authorization`, which has your own key for it',
    example: '@openai',
  },
  'custom-host': {
    description:
      'Another base URL for the credential that the same request brings. A saved credential goes only to the host that it was saved with.',
    form: 'a URL with its version segment',
    example: 'https://models.example.com/v1',
  },
  'forward-headers': {
    description:
      'The names of headers that go upstream as they are, separated by commas, in place of those that `forward_headers` of the config names. Beside a saved credential, the config alone names them.',
    form: names,
    example: 'x-request-id, user-agent',
  },
  'request-timeout': {
    description: 'For how long one attempt may take, in milliseconds.',
    form: 'a whole number of at most 9 digits; 0 is as if it were absent',
    type: 'integer',
    example: '30000',
  },
  deadline: {
    description: 'For how long the whole request may take, in milliseconds.',
    form: `a whole number from 1 to ${maxDeadlineMs}`,
    type: 'integer',
    example: '60000',
  },
  'max-cost': {
    description: 'What the whole request may cost at most, in US dollars.',
    form: `a number above 0, of at most ${maxBoundUsd}`,
    type: 'number',
    example: '0.05',
  },
  'strict-llmv-compliance': {
    description: 'Whether an answer has only what the API of the client documents. True where absent.',
    type: 'boolean',
    example: 'false',
  },
  usage: {
    description: 'Whether the answer says what it used and cost. False where absent.',
    type: 'boolean',
    example: 'true',
  },
  'trace-id': { description: 'Your id for the request; one is made where absent.', example: 'order-4711' },
  'span-id': {
    description: "The id of the request's span, where the gateway traces requests.",
    form: '16 hexadecimal digits; any other id is not used',
    example: '00f067aa0ba902b7',
  },
  'parent-span-id': {
    description: "The parent of the request's span in the trace of `x-gw-trace-id`, before that of `traceparent`.",
    form: '16 hexadecimal digits; any other id is not used',
    example: 'b7ad6b7169203331',
  },
  'span-name': {
    description: "The name of the request's span; its method and endpoint where absent.",
    example: 'summarise the report',
  },
  metadata: {
    description:
      'Labels as a JSON object of texts, numbers and booleans, which conditions can read. A number beyond 9007199254740991 is refused, since it would be rounded: write it as a text. `_user` is the user in logs, usage and budgets: with a store it is the user of the key, or else this label, or else the `user` of the body. The pairs of a `baggage` header (W3C) are labels too, below these.',
    form: 'a JSON object',
    example: '{"tier":"gold","_user":"ada"}',
  },
  'cache-force-refresh': {
    description: 'Whether a cache is not read, and gets the new answer. False where absent.',
    type: 'boolean',
    example: 'true',
  },
  'cache-namespace': {
    description: 'Separates cached answers by this text, in place of the metadata and of forwarded headers.',
    example: 'release-42',
  },
  debug: {
    description: 'False keeps the request out of caches, and bodies out of logs.',
    type: 'boolean',
    example: 'false',
  },
  'sensitive-headers': {
    description: 'The names of headers whose values no log keeps, separated by commas.',
    form: names,
    example: 'x-customer-token',
  },
  'anthropic-beta': {
    description:
      "The header `anthropic-beta`, for requests in Anthropic's own format, and for others where a config forwards it.",
    example: 'context-1m-2025-08-07',
  },
  'anthropic-version': {
    description: "The header `anthropic-version`, for requests in Anthropic's own format.",
    example: '2023-06-01',
  },
  'llmv-beta': { description: 'The header `openai-beta`, for OpenAI.', example: 'assistants=v2' },
};

/** The headers of answers. */
export const answerHeaderDescriptions: Readonly<Record<string, DescribedHeader>> = {
  'x-gw-trace-id': {
    description: 'The id of the request, by which the log has it: that of the request, or one that was made.',
    example: '9b4c9373991a7c5363c1e0360494930a',
  },
  'x-gw-provider': { description: 'The provider that answered.', example: 'openai' },
  'x-gw-last-used-option-index': {
    description: 'The place in the config of the target that answered.',
    form: '`config`, and `.targets[N]` for each level',
    example: 'config.targets[1]',
  },
  'x-gw-retry-attempt-count': {
    description: 'How often that target was asked again; -1 where every retry failed.',
    type: 'integer',
    example: '0',
  },
  'x-gw-cache-status': {
    description: 'Whether the answer is from a cache.',
    form: '`HIT`, `SEMANTIC HIT`, `MISS`, `SEMANTIC MISS`, `REFRESH` or `DISABLED`',
    example: 'MISS',
  },
  'x-gw-estimated': {
    description: 'Whether a count of tokens is an estimate of the gateway: `true`, or absent.',
    example: 'true',
  },
  'x-gw-plan': {
    description: 'The name and the hash of the plan of the request.',
    example: 'prod@b961915da876',
  },
  'x-gw-attempts': {
    description: 'The attempts that were made, where `x-gw-usage: true` asks for them: a List of RFC 9651.',
    form: 'of each its place, `status`, `error` if it failed, and `ms`; at most 1 KB, ending with `more;count=N`',
    example: '"config.targets[0]";status=502;error=connection-failed;ms=3.10, "config.targets[1]";status=200;ms=812.45',
  },
  'x-gw-overhead-ms': {
    description: 'The milliseconds that the gateway itself took, where `x-gw-usage: true` asks for them.',
    type: 'number',
    example: '1.84',
  },
  'x-gw-usage': {
    description:
      'The tokens and units that the answer used, where `x-gw-usage: true` asks for them; after a stream, a comment.',
    form: 'a JSON object of at most 1 KB',
    example: '{"kind":"reported","model":"gpt-5.5","input":{"total":12},"output":{"total":30}}',
  },
  'x-gw-cost': {
    description: 'The cost of the answer in US dollars, beside `x-gw-usage`, where the model has a price.',
    type: 'number',
    example: '0.00033',
  },
  'x-gw-dropped-params': {
    description: "The members of the request that the provider's format could not express, and that were left out.",
    form: 'names separated by commas; at most 1 KB, ending with `...` where some are left out',
    example: 'logit_bias, messages[*].name',
  },
  'x-gw-continued': {
    description: 'A trailer of a stream that broke and went on: the places of the targets that went on with it.',
    form: 'places as in `x-gw-last-used-option-index`, separated by commas',
    example: 'config.targets[1]',
  },
  'x-gw-response-not-kept': {
    description: 'Why a response that the request wants to be stored was not kept.',
    form: '`too-large` or `unavailable`',
    example: 'too-large',
  },
};
