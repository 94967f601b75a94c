import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { domainPattern } from '../client/domain-pattern.ts';
import { keySchema } from '../client/key-schema.ts';

/** https://docs.getjavelin.io/javelin-processors/standalone-guardrails */
const guardrails = defineLazyGuardrail({
  id: 'javelin.guardrails',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      credentials: {
        type: 'object',
        required: ['apiKey', 'application'],
        properties: {
          apiKey: keySchema,
          application: {
            type: 'string',
            // It is sent in a header.
            pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,254}[\\x21-\\x7e])?$',
            description: 'The name of the application whose policy judges.',
          },
          domain: {
            type: 'string',
            pattern: domainPattern,
            default: 'api-dev.javelin.live',
            description: 'The host of the service.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./guardrails.ts')).guardrails,
});

/** The checks of Javelin. */
export const javelinGuardrails: readonly Guardrail[] = [guardrails];
