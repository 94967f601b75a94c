import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';
import { webContextParameters } from '../findings/web-context-parameters.ts';

/** https://docs.exa.ai/reference/search */
const online = defineLazyGuardrail({
  id: 'exa.online',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      prefix: webContextParameters.prefix,
      suffix: webContextParameters.suffix,
      numResults: webContextParameters.pages,
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

/** The checks of Exa. */
export const exaGuardrails: readonly Guardrail[] = [online];
