import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema, serviceUrlErrors } from '../client/base-url.ts';
import { keySchema } from '../client/key-schema.ts';
import { redactParameter } from '../findings/redact-parameter.ts';

/** https://docs.aisecurity.f5.com/api-docs/ */
const scan = defineLazyGuardrail({
  id: 'f5-guardrails.scan',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      redact: redactParameter,
      projectId: {
        type: 'string',
        minLength: 1,
        description: 'The project whose scanners judge; that of the key if absent.',
      },
      credentials: {
        type: 'object',
        required: ['apiKey'],
        properties: {
          apiKey: keySchema,
          calypsoUrl: {
            type: 'string',
            format: 'uri',
            maxLength: 2048,
            default: 'https://us1.calypsoai.app',
            description: 'The base URL of the service.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: (parameters) => [
    ...serviceUrlErrors('credentials.calypsoUrl', parameters.credentials.calypsoUrl),
    ...baseUrlErrors(parameters),
  ],
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./scan.ts')).scan,
});

/** The checks of F5 AI Guardrails. */
export const f5Guardrails: readonly Guardrail[] = [scan];
