import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';
import { thresholdParameter } from '../findings/threshold-parameter.ts';

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/sydelabs */
const sydeguard = defineLazyGuardrail({
  id: 'sydelabs.sydeguard',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      prompt_injection_threshold: thresholdParameter,
      toxicity_threshold: thresholdParameter,
      evasion_threshold: thresholdParameter,
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./sydeguard.ts')).sydeguard,
});

/** The checks of SydeLabs. */
export const sydelabsGuardrails: readonly Guardrail[] = [sydeguard];
