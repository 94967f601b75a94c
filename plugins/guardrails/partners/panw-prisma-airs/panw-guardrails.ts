import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { keySchema } from '../client/key-schema.ts';

/** https://pan.dev/prisma-airs/api/airuntimesecurity/scan-sync-request/ */
const intercept = defineLazyGuardrail({
  id: 'panw-prisma-airs.intercept',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      profile_name: { type: 'string', minLength: 1, maxLength: 100, description: 'The name of the security profile.' },
      profile_id: { type: 'string', minLength: 1, maxLength: 100, description: 'Its id, instead of its name.' },
      ai_model: {
        type: 'string',
        minLength: 1,
        description: 'The model to report to the service; that of the request if absent.',
      },
      app_user: { type: 'string', minLength: 1, description: 'The user to report to the service.' },
      credentials: {
        type: 'object',
        required: ['AIRS_API_KEY'],
        properties: { AIRS_API_KEY: keySchema },
      },
      baseUrl: baseUrlSchema,
    },
    anyOf: [{ required: ['profile_name'] }, { required: ['profile_id'] }],
  },
  faults: baseUrlErrors,
  load: async () => (await import('./intercept.ts')).intercept,
});

/** The checks of Prisma AIRS by Palo Alto Networks. */
export const panwGuardrails: readonly Guardrail[] = [intercept];
