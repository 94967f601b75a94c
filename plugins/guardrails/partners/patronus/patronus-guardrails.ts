import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';
import { redactParameter } from '../findings/redact-parameter.ts';

const onlyKey = {
  type: 'object',
  required: ['credentials'],
  properties: { credentials: apiKeySchema, baseUrl: baseUrlSchema },
} as const satisfies ParameterSchema;

const redacting = {
  type: 'object',
  required: ['credentials'],
  properties: { redact: redactParameter, credentials: apiKeySchema, baseUrl: baseUrlSchema },
} as const satisfies ParameterSchema;

/** Evaluators that are language models are slow. */
const modelMs = 15_000;

/** The members of a check whose evaluator is a language model and only needs a key. */
const byModel = {
  phases: ['output'],
  parameters: onlyKey,
  faults: baseUrlErrors,
  timeoutMs: () => modelMs,
} as const;

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const custom = defineLazyGuardrail({
  id: 'patronus.custom',
  phases: ['output'],
  parameters: {
    type: 'object',
    required: ['profile', 'credentials'],
    properties: {
      profile: {
        type: 'string',
        pattern: '^[^:]+(?::[^:]+)*$',
        maxLength: 256,
        description: 'An evaluator and its criteria, such as judge:is-on-brand; criteria alone are for the judge.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  timeoutMs: () => modelMs,
  load: async () => (await import('./evaluate.ts')).custom,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const isConcise = defineLazyGuardrail({
  id: 'patronus.isConcise',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).isConcise,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const isHelpful = defineLazyGuardrail({
  id: 'patronus.isHelpful',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).isHelpful,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const isPolite = defineLazyGuardrail({
  id: 'patronus.isPolite',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).isPolite,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const noApologies = defineLazyGuardrail({
  id: 'patronus.noApologies',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).noApologies,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const noGenderBias = defineLazyGuardrail({
  id: 'patronus.noGenderBias',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).noGenderBias,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const noRacialBias = defineLazyGuardrail({
  id: 'patronus.noRacialBias',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).noRacialBias,
});

/** https://docs.patronus.ai/docs/safety-checks */
const phi = defineLazyGuardrail({
  id: 'patronus.phi',
  phases: ['output'],
  parameters: redacting,
  faults: baseUrlErrors,
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./entities.ts')).phi,
});

/** https://docs.patronus.ai/docs/safety-checks */
const pii = defineLazyGuardrail({
  id: 'patronus.pii',
  phases: ['output'],
  parameters: redacting,
  faults: baseUrlErrors,
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./entities.ts')).pii,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const retrievalAnswerRelevance = defineLazyGuardrail({
  id: 'patronus.retrievalAnswerRelevance',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).retrievalAnswerRelevance,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const retrievalHallucination = defineLazyGuardrail({
  id: 'patronus.retrievalHallucination',
  ...byModel,
  load: async () => (await import('./evaluate.ts')).retrievalHallucination,
});

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
const toxicity = defineLazyGuardrail({
  id: 'patronus.toxicity',
  phases: ['output'],
  parameters: onlyKey,
  faults: baseUrlErrors,
  load: async () => (await import('./evaluate.ts')).toxicity,
});

/** The checks of Patronus. */
export const patronusGuardrails: readonly Guardrail[] = [
  custom,
  isConcise,
  isHelpful,
  isPolite,
  noApologies,
  noGenderBias,
  noRacialBias,
  phi,
  pii,
  retrievalAnswerRelevance,
  retrievalHallucination,
  toxicity,
];
