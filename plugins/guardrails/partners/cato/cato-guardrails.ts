import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://docs.litellm.ai/docs/proxy/guardrails/cato_networks */
const analyze = defineLazyGuardrail({
  id: 'cato.analyze',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      userEmail: {
        type: 'string',
        maxLength: 320,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'The e-mail address of the user whose policies apply.',
      },
      keyAlias: {
        type: 'string',
        maxLength: 200,
        pattern: '^[\\x20-\\x7e]+$',
        description: 'The name of the guard whose policies apply.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  // The policy decides what is replaced.
  rewrites: () => true,
  load: async () => (await import('./analyze.ts')).analyze,
});

/** The checks of Cato Networks. */
export const catoGuardrails: readonly Guardrail[] = [analyze];
