import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

const threshold = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  default: 0.5,
  description: 'The lowest score that fails.',
} as const satisfies ParameterSchema;

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/sydelabs */
const sydeguard = defineLazyGuardrail({
  id: 'sydelabs.sydeguard',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      prompt_injection_threshold: threshold,
      toxicity_threshold: threshold,
      evasion_threshold: threshold,
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./sydeguard.ts')).sydeguard,
});

/** The checks of SydeLabs. */
export const sydelabsGuardrails: readonly Guardrail[] = [sydeguard];
