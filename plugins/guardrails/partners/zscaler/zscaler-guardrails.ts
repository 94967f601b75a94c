import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://github.com/zscaler/zscaler-sdk-python */
const aiGuard = defineLazyGuardrail({
  id: 'zscaler.aiGuard',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      policyId: {
        type: 'string',
        pattern: '^[1-9][0-9]{0,14}$',
        description: 'The number of the policy that judges; if absent, the service chooses one for the key.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  timeoutMs: () => 10_000,
  load: async () => (await import('./ai-guard.ts')).aiGuard,
});

/** The checks of Zscaler AI Guard. */
export const zscalerGuardrails: readonly Guardrail[] = [aiGuard];
