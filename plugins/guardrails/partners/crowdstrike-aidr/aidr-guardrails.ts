import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema, serviceUrlErrors } from '../client/base-url.ts';
import { keySchema } from '../client/key-schema.ts';

/** https://github.com/CrowdStrike/aidr-python */
const guardChatCompletions = defineLazyGuardrail({
  id: 'crowdstrike-aidr.guardChatCompletions',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      credentials: {
        type: 'object',
        required: ['apiKey'],
        properties: {
          apiKey: keySchema,
          baseUrl: {
            type: 'string',
            format: 'uri',
            maxLength: 2048,
            default: 'https://api.crowdstrike.com/aidr/aiguard',
            description: 'The base URL of the service in the region of the collector.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: (parameters) => [
    ...serviceUrlErrors('credentials.baseUrl', parameters.credentials.baseUrl),
    ...baseUrlErrors(parameters),
  ],
  // The policy decides what is replaced.
  rewrites: () => true,
  load: async () => (await import('./guard-chat-completions.ts')).guardChatCompletions,
});

/** The checks of CrowdStrike AIDR. */
export const aidrGuardrails: readonly Guardrail[] = [guardChatCompletions];
