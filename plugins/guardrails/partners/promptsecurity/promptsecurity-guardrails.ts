import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { domainPattern } from '../client/domain-pattern.ts';
import { keySchema } from '../client/key-schema.ts';

const parameters = {
  type: 'object',
  required: ['credentials'],
  properties: {
    credentials: {
      type: 'object',
      required: ['apiDomain', 'apiKey'],
      properties: {
        apiDomain: {
          type: 'string',
          pattern: domainPattern,
          description: 'The host of the service in your region, such as eu.prompt.security.',
        },
        apiKey: keySchema,
      },
    },
    baseUrl: baseUrlSchema,
  },
} as const satisfies ParameterSchema;

/** https://docs.webrix.ai/docs/guardrails/prompt-security */
const protectPrompt = defineLazyGuardrail({
  id: 'promptsecurity.protectPrompt',
  phases: ['input'],
  parameters,
  faults: baseUrlErrors,
  load: async () => (await import('./protect.ts')).protectPrompt,
});

/** https://docs.webrix.ai/docs/guardrails/prompt-security */
const protectResponse = defineLazyGuardrail({
  id: 'promptsecurity.protectResponse',
  phases: ['output'],
  parameters,
  faults: baseUrlErrors,
  load: async () => (await import('./protect.ts')).protectResponse,
});

/** The checks of Prompt Security. */
export const promptsecurityGuardrails: readonly Guardrail[] = [protectPrompt, protectResponse];
