import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { domainPattern } from '../client/domain-pattern.ts';
import { keySchema } from '../client/key-schema.ts';
import { redactParameter } from '../findings/redact-parameter.ts';

const credentials = {
  type: 'object',
  required: ['apiKey', 'domain'],
  properties: {
    apiKey: keySchema,
    domain: {
      type: 'string',
      pattern: domainPattern,
      description: 'The domain of the project, such as aws.us.pangea.cloud.',
    },
  },
} as const satisfies ParameterSchema;

/** https://pangea.cloud/docs/api/ai-guard */
const textGuard = defineLazyGuardrail({
  id: 'pangea.textGuard',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      recipe: { type: 'string', minLength: 1, description: 'The key of a recipe of the AI Guard service.' },
      debug: {
        type: 'boolean',
        default: false,
        description: 'Whether the service reports its findings in more detail.',
      },
      overrides: { type: 'object', additionalProperties: true, description: 'Settings to use instead of the recipe.' },
      credentials,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./text-guard.ts')).textGuard,
});

/** https://pangea.cloud/docs/api/redact */
const pii = defineLazyGuardrail({
  id: 'pangea.pii',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      redact: redactParameter,
      credentials,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./pii.ts')).pii,
});

/** The checks of Pangea. */
export const pangeaGuardrails: readonly Guardrail[] = [pii, textGuard];
