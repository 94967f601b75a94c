import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { keySchema } from '../client/key-schema.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html */
const guard = defineLazyGuardrail({
  id: 'bedrock.guard',
  parameters: {
    type: 'object',
    required: ['guardrailId', 'guardrailVersion', 'credentials'],
    properties: {
      guardrailId: {
        type: 'string',
        maxLength: 2048,
        pattern: '^(?:[a-z0-9]+|arn:aws[a-z-]*:bedrock:[a-z0-9-]{1,20}:[0-9]{12}:guardrail/[a-z0-9]+)$',
        description: 'The id of the guardrail, or its ARN.',
      },
      guardrailVersion: {
        type: 'string',
        pattern: '^(?:[1-9][0-9]{0,7}|DRAFT)$',
        description: 'Its version: a number, or DRAFT.',
      },
      redact: {
        type: 'boolean',
        default: false,
        description: 'Replace what the guardrail masks instead of failing. What it blocks still fails.',
      },
      credentials: {
        type: 'object',
        required: ['accessKeyId', 'accessKeySecret', 'region'],
        properties: {
          accessKeyId: keySchema,
          accessKeySecret: keySchema,
          awsSessionToken: keySchema,
          region: {
            type: 'string',
            pattern: '^[a-z]{2}(?:-[a-z]+){1,3}-[0-9]{1,2}$',
            description: 'The region of the guardrail.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./guard.ts')).guard,
});

/** The checks of Amazon Bedrock Guardrails. */
export const bedrockGuardrails: readonly Guardrail[] = [guard];
