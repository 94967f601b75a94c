import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://docs.litellm.ai/docs/proxy/guardrails/lasso_security */
const classify = defineLazyGuardrail({
  id: 'lasso.classify',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: { credentials: apiKeySchema, baseUrl: baseUrlSchema },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./classify.ts')).classify,
});

/** The checks of Lasso Security. */
export const lassoGuardrails: readonly Guardrail[] = [classify];
