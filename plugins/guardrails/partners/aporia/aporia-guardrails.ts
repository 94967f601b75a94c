import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { apiKeySchema } from '../client/key-schema.ts';

/** https://gr-docs.aporia.com/fundamentals/integration/rest-api */
const validateProject = defineLazyGuardrail({
  id: 'aporia.validateProject',
  parameters: {
    type: 'object',
    required: ['projectID', 'credentials'],
    properties: {
      projectID: {
        type: 'string',
        // It is part of the path.
        pattern: '^[A-Za-z0-9_-]{1,128}$',
        description: 'The id of the project whose policies judge.',
      },
      credentials: apiKeySchema,
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./validate-project.ts')).validateProject,
});

/** The checks of Aporia. */
export const aporiaGuardrails: readonly Guardrail[] = [validateProject];
