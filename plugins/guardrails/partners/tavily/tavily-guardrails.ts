import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';
import { webContextParameters } from '../findings/web-context-parameters.ts';

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
const online = defineLazyGuardrail({
  id: 'tavily.online',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      prefix: webContextParameters.prefix,
      suffix: webContextParameters.suffix,
      maxResults: webContextParameters.pages,
      searchDepth: {
        type: 'string',
        enum: ['advanced', 'basic', 'fast', 'ultra-fast'],
        description: 'How thorough the search is; a basic one if absent.',
      },
      topic: {
        type: 'string',
        enum: ['general', 'news', 'finance'],
        description: 'The category of the pages; general if absent.',
      },
      timeRange: {
        type: 'string',
        enum: ['day', 'week', 'month', 'year'],
        description: 'How old the pages may be; any age if absent.',
      },
      includeDomains: webContextParameters.includeDomains,
      excludeDomains: webContextParameters.excludeDomains,
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  timeoutMs: () => 10_000,
  load: async () => (await import('./online.ts')).online,
});

/** The checks of Tavily. */
export const tavilyGuardrails: readonly Guardrail[] = [online];
