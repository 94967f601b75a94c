import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/pillar */
const scanPrompt = defineLazyGuardrail({
  id: 'pillar.scanPrompt',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['scanners', 'credentials'],
    properties: {
      scanners: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: {
          type: 'string',
          enum: ['prompt_injection', 'pii', 'secrets', 'toxic_language', 'invisible_characters'],
        },
        description: 'The scanners that look at the prompt, and may find nothing.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./scan.ts')).scanPrompt,
});

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/pillar */
const scanResponse = defineLazyGuardrail({
  id: 'pillar.scanResponse',
  phases: ['output'],
  parameters: {
    type: 'object',
    required: ['scanners', 'credentials'],
    properties: {
      scanners: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: { type: 'string', enum: ['pii', 'secrets', 'toxic_language'] },
        description: 'The scanners that look at the answer, and may find nothing.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./scan.ts')).scanResponse,
});

/** The checks of Pillar Security. */
export const pillarGuardrails: readonly Guardrail[] = [scanPrompt, scanResponse];
