import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

const onlyKey = {
  type: 'object',
  required: ['credentials'],
  properties: { credentials: apiKeySchema, baseUrl: baseUrlSchema },
} as const satisfies ParameterSchema;

const withMode = {
  type: 'object',
  required: ['credentials'],
  properties: {
    mode: {
      type: 'string',
      enum: ['speed', 'balanced', 'quality'],
      default: 'balanced',
      description: 'Whether the service favours speed or quality.',
    },
    credentials: apiKeySchema,
    baseUrl: baseUrlSchema,
  },
} as const satisfies ParameterSchema;

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
const contentModeration = defineLazyGuardrail({
  id: 'qualifire.contentModeration',
  parameters: onlyKey,
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).contentModeration,
});

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
const grounding = defineLazyGuardrail({
  id: 'qualifire.grounding',
  phases: ['output'],
  parameters: withMode,
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).grounding,
});

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
const hallucinations = defineLazyGuardrail({
  id: 'qualifire.hallucinations',
  phases: ['output'],
  parameters: withMode,
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).hallucinations,
});

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
const pii = defineLazyGuardrail({
  id: 'qualifire.pii',
  parameters: onlyKey,
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).pii,
});

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
const policy = defineLazyGuardrail({
  id: 'qualifire.policy',
  parameters: {
    type: 'object',
    required: ['policies', 'credentials'],
    properties: {
      policies: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 2000 },
        description: 'Rules that the text must satisfy, one sentence each.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).policy,
});

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
const promptInjections = defineLazyGuardrail({
  id: 'qualifire.promptInjections',
  phases: ['input'],
  parameters: onlyKey,
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).promptInjections,
});

/** https://github.com/qualifire-dev/qualifire-python-sdk */
const toolUseQuality = defineLazyGuardrail({
  id: 'qualifire.toolUseQuality',
  phases: ['output'],
  parameters: withMode,
  faults: baseUrlErrors,
  load: async () => (await import('./tool-use-quality.ts')).toolUseQuality,
});

/** The checks of Qualifire. */
export const qualifireGuardrails: readonly Guardrail[] = [
  contentModeration,
  grounding,
  hallucinations,
  pii,
  policy,
  promptInjections,
  toolUseQuality,
];
