import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

const domains = {
  type: 'array',
  minItems: 1,
  maxItems: 1200,
  items: { type: 'string', minLength: 1 },
} as const satisfies ParameterSchema;

/** https://docs.exa.ai/reference/search */
const online = defineLazyGuardrail({
  id: 'exa.online',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      prefix: {
        type: 'string',
        maxLength: 1000,
        default: '\n<web_search_context>',
        description: 'The text before what was found.',
      },
      suffix: {
        type: 'string',
        maxLength: 1000,
        default: '\n</web_search_context>',
        description: 'The text after what was found.',
      },
      numResults: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        default: 5,
        description: 'How many pages are added.',
      },
      includeDomains: { ...domains, description: 'Only pages of these.' },
      excludeDomains: { ...domains, description: 'No pages of these.' },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  timeoutMs: () => 10_000,
  load: async () => (await import('./online.ts')).online,
});

/** The checks of Exa. */
export const exaGuardrails: readonly Guardrail[] = [online];
