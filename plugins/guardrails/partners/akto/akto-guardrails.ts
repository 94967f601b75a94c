import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { domainPattern } from '../client/domain-pattern.ts';
import { keySchema } from '../client/key-schema.ts';

/** https://github.com/akto-api-security/akto/tree/master/apps/guardrails-service */
const scan = defineLazyGuardrail({
  id: 'akto.scan',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      credentials: {
        type: 'object',
        required: ['apiKey', 'apiDomain'],
        properties: {
          apiKey: keySchema,
          apiDomain: {
            type: 'string',
            pattern: domainPattern,
            description: 'The host of your guardrails service, as shown in your account.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./scan.ts')).scan,
});

/** The checks of Akto. */
export const aktoGuardrails: readonly Guardrail[] = [scan];
