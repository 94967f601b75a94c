import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { redactParameter } from '../findings/redact-parameter.ts';

const onlyPlace = { type: 'object', properties: { baseUrl: baseUrlSchema } } as const satisfies ParameterSchema;

/** https://www.promptfoo.dev/docs/red-team/guardrails/ */
const guard = defineLazyGuardrail({
  id: 'promptfoo.guard',
  phases: ['input'],
  parameters: onlyPlace,
  faults: baseUrlErrors,
  load: async () => (await import('./classify.ts')).guard,
});

/** https://www.promptfoo.dev/docs/red-team/guardrails/ */
const harm = defineLazyGuardrail({
  id: 'promptfoo.harm',
  parameters: onlyPlace,
  faults: baseUrlErrors,
  load: async () => (await import('./classify.ts')).harm,
});

/** https://www.promptfoo.dev/docs/red-team/guardrails/ */
const pii = defineLazyGuardrail({
  id: 'promptfoo.pii',
  parameters: {
    type: 'object',
    properties: {
      redact: redactParameter,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./pii.ts')).pii,
});

/** The checks of promptfoo, whose service requires no credentials. */
export const promptfooGuardrails: readonly Guardrail[] = [guard, harm, pii];
