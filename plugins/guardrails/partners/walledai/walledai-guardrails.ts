import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://docs.walled.ai/walledprotect-20330875e0 */
const walledprotect = defineLazyGuardrail({
  id: 'walledai.walledprotect',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: { credentials: apiKeySchema, baseUrl: baseUrlSchema },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./walledprotect.ts')).walledprotect,
});

/** The checks of Walled AI. */
export const walledaiGuardrails: readonly Guardrail[] = [walledprotect];
