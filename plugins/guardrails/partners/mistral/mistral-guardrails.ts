import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://docs.mistral.ai/studio/safety-moderation */
const moderateContent = defineLazyGuardrail({
  id: 'mistral.moderateContent',
  parameters: {
    type: 'object',
    required: ['categories', 'credentials'],
    properties: {
      categories: {
        type: 'array',
        minItems: 1,
        items: {
          enum: [
            'sexual',
            'hate_and_discrimination',
            'violence_and_threats',
            'dangerous',
            'criminal',
            'dangerous_and_criminal_content',
            'selfharm',
            'health',
            'financial',
            'law',
            'pii',
            'jailbreaking',
          ],
        },
        description: 'The categories that make the check fail.',
      },
      // The alias mistral-moderation-latest still names the previous model, which is deprecated.
      model: {
        type: 'string',
        minLength: 1,
        default: 'mistral-moderation-2603',
        description: 'The model that judges.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./moderate-content.ts')).moderateContent,
});

/** The checks of Mistral. */
export const mistralGuardrails: readonly Guardrail[] = [moderateContent];
