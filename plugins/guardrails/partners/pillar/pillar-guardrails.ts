import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** Creates the parameters of a check that uses some of Pillar's scanners. */
const scanParameters = <const Scanners extends readonly string[]>(scanners: Scanners, scanned: 'prompt' | 'answer') => {
  return {
    type: 'object',
    required: ['scanners', 'credentials'],
    properties: {
      scanners: {
        type: 'array',
        minItems: 1,
        maxItems: scanners.length,
        items: { type: 'string', enum: scanners },
        description: `The scanners that check the ${scanned}; the check fails if one of them finds something.`,
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  } as const;
};

const ofAnswers = ['pii', 'secrets', 'toxic_language'] as const;

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/pillar */
const scanPrompt = defineLazyGuardrail({
  id: 'pillar.scanPrompt',
  phases: ['input'],
  parameters: scanParameters(['prompt_injection', ...ofAnswers, 'invisible_characters'], 'prompt'),
  faults: baseUrlErrors,
  load: async () => (await import('./scan.ts')).scanPrompt,
});

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/pillar */
const scanResponse = defineLazyGuardrail({
  id: 'pillar.scanResponse',
  phases: ['output'],
  parameters: scanParameters(ofAnswers, 'answer'),
  faults: baseUrlErrors,
  load: async () => (await import('./scan.ts')).scanResponse,
});

/** The checks of Pillar Security. */
export const pillarGuardrails: readonly Guardrail[] = [scanPrompt, scanResponse];
