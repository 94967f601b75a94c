import { onlyNames } from '../../../sdk/http/header-lines.ts';
import type { RawHeaders } from '../../../sdk/http/http.ts';

/** Headers of a client's request that its jobs' requests to providers have too. */
const names = [
  'anthropic-beta',
  'openai-beta',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-gw-metadata',
  'x-gw-request-timeout',
];

/** What a job passes on of the headers of a request: nothing that names a provider, a plan, or a credential. */
export const passedHeaders = (headers: RawHeaders): RawHeaders => [
  ...onlyNames(headers, names),
  'accept-encoding',
  'identity',
];
