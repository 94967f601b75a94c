import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://docs.lakera.ai/docs/api/guard */
const guard = defineLazyGuardrail({
  id: 'lakera.guard',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      projectID: {
        type: 'string',
        minLength: 1,
        description: 'The project whose policy judges; the default one if absent.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./guard.ts')).guard,
});

/** The checks of Lakera. */
export const lakeraGuardrails: readonly Guardrail[] = [guard];
